import {
  type LivePlatform,
  listPlatforms,
  platformState,
  platformsEvent,
  recorderEvent,
  type StreamMonitor,
  streamMonitorEvent,
} from '@osprey/contract';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '../api/api.ts';
import { useServerEvent } from '../events/events.ts';
import { useLiveEvents } from '../events/useLiveEvents.ts';

/** Polling interval for changes that no event reported, in milliseconds (specification 2, section 9). */
const REFRESH_MS = 10_000;
/** Time for which events are collected before the platforms are read once, in milliseconds. */
const COLLECT_MS = 250;

const queryKey = ['platforms', 'list'] as const;
type Read = { platforms: LivePlatform[]; readAtMs: number };
type StateChange = Extract<StreamMonitor, { topic: 'state' }>;

const none: LivePlatform[] = [];

/** Returns the platforms that this user may see, with their streams and recordings; updated by events while mounted. */
export function useLivePlatforms() {
  const api = useApi();
  const queries = useQueryClient();
  useLiveEvents();
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Read> => {
      const platforms = await api.call(listPlatforms, {}, { signal });
      return { platforms, readAtMs: Date.now() };
    },
    refetchInterval: REFRESH_MS,
  });

  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  function readAgain() {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void queries.invalidateQueries({ queryKey });
    }, COLLECT_MS);
  }
  useServerEvent(platformsEvent, readAgain);
  useServerEvent(recorderEvent, readAgain);
  useServerEvent(streamMonitorEvent, (event) => {
    if (event.topic === 'state') showState(queries, event);
    readAgain();
  });

  return {
    platforms: query.data?.platforms ?? none,
    /** Time at which the counters were read, by the clock of this machine. */
    readAtMs: query.data?.readAtMs ?? 0,
    loading: query.isPending,
    error: query.error,
    refetch: query.refetch,
  };
}

export type LivePlatforms = ReturnType<typeof useLivePlatforms>;

/** Changes platforms in the cached list. */
function mend(queries: QueryClient, change: (platform: LivePlatform) => LivePlatform): void {
  queries.setQueryData<Read>(queryKey, (read) => read && { ...read, platforms: read.platforms.map(change) });
}

/** Shows a stream that appeared or was lost immediately, before the platforms are read again. */
function showState(queries: QueryClient, { platform: id, sensor: sensorId, state, since }: StateChange): void {
  mend(queries, (platform) => {
    if (platform._id !== id) return platform;
    if (sensorId === null || state === 'partial') return { ...platform, state };
    const sensors = platform.sensors.map((sensor) => (sensor._id === sensorId ? { ...sensor, state, since } : sensor));
    return { ...platform, sensors, state: platformState(sensors.map((sensor) => sensor.state)) };
  });
}
