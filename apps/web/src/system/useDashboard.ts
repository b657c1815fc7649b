import {
  getDashboard,
  getSystemInfo,
  missionsEvent,
  onlineUsersEvent,
  platformsEvent,
  revokedEvent,
  SYSTEM_UPTIME_POLL_MS,
  usergroupsEvent,
  usersEvent,
} from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useServerEvent } from '../events/events.ts';

/** Polling interval in milliseconds, since jobs change without an event. */
const REFRESH_MS = 15_000;

/** Returns the figures of the cards, updated by the server's events. */
export function useDashboard() {
  const api = useApi();
  const queries = useQueryClient();
  const [online, setOnline] = useState<number | null>(null);
  const query = useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => api.call(getDashboard, {}, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const again = () => void queries.invalidateQueries({ queryKey: ['dashboard'] });
  useServerEvent(usersEvent, again);
  useServerEvent(usergroupsEvent, again);
  useServerEvent(missionsEvent, again);
  useServerEvent(platformsEvent, again);
  useServerEvent(revokedEvent, ({ noun }) => {
    if (noun === 'platforms') again();
  });
  useServerEvent(onlineUsersEvent, ({ onlineUsers }) => setOnline(onlineUsers));
  return {
    figures: query.data ?? null,
    error: query.error,
    refetch: query.refetch,
    online: online ?? query.data?.users.online ?? null,
  };
}

/** Seconds since the machine started; null until known. */
export function useSystemUptime(): number | null {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['systeminfo'],
    queryFn: ({ signal }) => api.call(getSystemInfo, {}, { signal }),
    refetchInterval: SYSTEM_UPTIME_POLL_MS,
  });
  return data?.systemUptime ?? null;
}
