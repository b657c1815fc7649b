import { getTelemetrySet, playSensor, type Sensor } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from '../api/api.ts';
import { telemetryQuery } from './open-queries.ts';

/** Stable per sensor; the answers stay in the query cache, so going back over a minute makes no request. */
export function useFetchPage(sensor: Sensor) {
  const api = useApi();
  const queries = useQueryClient();
  const [fetchPage] = useState(
    () => (from: number, to: number) => queries.fetchQuery(telemetryQuery(api, sensor, from, to)),
  );
  return fetchPage;
}

/** One set at a time, to show its bytes. */
export function useFetchSet({ _id: sensor, missionId: mission }: Sensor) {
  const api = useApi();
  const [fetchSet] = useState(
    () => (timeUs: number) =>
      api.call(getTelemetrySet, { params: { mission, sensor }, query: { time: String(timeUs) } }),
  );
  return fetchSet;
}

/** The server counts once per user, sensor and 30 minutes; one message per opened player is enough. */
export function useViewCount(id: string) {
  const api = useApi();
  const counted = useRef(false);
  const [count] = useState(() => () => {
    if (counted.current) return;
    counted.current = true;
    // A view that is not counted is no reason to disturb the viewer.
    api.call(playSensor, { params: { id } }).catch(() => undefined);
  });
  return count;
}
