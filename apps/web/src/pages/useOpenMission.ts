import type { Mission, Sensor } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useApi } from '../api/api.ts';
import { useMission } from '../missions/useMissions.ts';
import { openSensorsQuery } from '../player/openQueries.ts';
import { timeOf } from '../ui/query-filter.ts';

const noSensors: Sensor[] = [];

/** Which mission is open, which of its sensors, and at what moment: all of it lives in the address. */
export function useOpenMission() {
  const api = useApi();
  const queries = useQueryClient();
  const [query, setQuery] = useSearchParams();
  const id = query.get('mission') || null;
  const sensorId = query.get('sensor') || null;
  const mission = useMission(id);
  const sensors = useQuery({ ...openSensorsQuery({ api, queries }, id ?? '', sensorId), enabled: id !== null });

  // The moment of the link, as it was when this mission was opened: what playing writes there later does not seek.
  const [opened, setOpened] = useState({ id, timeUs: timeOf(query.get('t')) });
  if (opened.id !== id) setOpened({ id, timeUs: timeOf(query.get('t')) });
  const latest = useRef(opened.timeUs);

  const change = useCallback(
    (fields: Record<string, string | null>, replace: boolean) =>
      setQuery(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(fields)) {
            if (value === null) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace },
      ),
    [setQuery],
  );
  const open = useCallback(
    (chosen: Mission, sensor: Sensor | null) => {
      latest.current = null;
      change({ mission: chosen._id, sensor: sensor?._id ?? null, t: null }, false);
    },
    [change],
  );
  const close = useCallback(() => {
    latest.current = null;
    change({ mission: null, sensor: null, t: null }, false);
  }, [change]);
  const onTimeChange = useCallback(
    (timeUs: number) => {
      latest.current = timeUs;
      change({ t: new Date(timeUs / 1000).toISOString() }, true);
    },
    [change],
  );

  const found = mission.data ?? null;
  const list = sensors.data ?? found?.sensors ?? noSensors;
  // The sensor of the link comes first: it leads.
  const ordered = useMemo(
    () => [...list].sort((a, b) => Number(b._id === sensorId) - Number(a._id === sensorId)),
    [list, sensorId],
  );
  return {
    id,
    mission: found,
    sensors: ordered,
    sensorId,
    initialTimeUs: opened.timeUs,
    error: mission.error,
    timeUs: useCallback(() => latest.current, []),
    open,
    close,
    onTimeChange,
  };
}
