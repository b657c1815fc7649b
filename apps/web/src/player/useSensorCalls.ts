import { getTelemetrySet, playSensor, type Sensor } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from '../api/api.ts';
import { telemetryQuery } from './open-queries.ts';

/**
 * Returns a function to fetch telemetry that is stable for a sensor. Pages remain in the query cache, so that going
 * back over a minute makes no request.
 */
export function useFetchPage(sensor: Sensor) {
  const api = useApi();
  const queries = useQueryClient();
  const [fetchPage] = useState(
    () => (from: number, to: number) => queries.fetchQuery(telemetryQuery(api, sensor, from, to)),
  );
  return fetchPage;
}

/** Returns a function to fetch a single set, whose bytes are then shown. */
export function useFetchSet({ _id: sensor, missionId: mission }: Sensor) {
  const api = useApi();
  const [fetchSet] = useState(
    () => (timeUs: number) =>
      api.call(getTelemetrySet, { params: { mission, sensor }, query: { time: String(timeUs) } }),
  );
  return fetchSet;
}

/**
 * Returns a function that reports a view once per opened player. The server counts one view per user, sensor and 30
 * minutes.
 */
export function useViewCount(id: string) {
  const api = useApi();
  const counted = useRef(false);
  const [count] = useState(() => () => {
    if (counted.current) return;
    counted.current = true;
    // A failure is ignored, since the user need not know that a view was not counted.
    api.call(playSensor, { params: { id } }).catch(() => undefined);
  });
  return count;
}
