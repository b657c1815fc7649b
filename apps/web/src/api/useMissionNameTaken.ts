import { listMissions } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from './api.ts';

const PAUSE_MS = 300;

/** Returns whether a mission with exactly this name exists among those that the user can see; false while unknown. */
export function useMissionNameTaken(name: string, enabled: boolean): boolean {
  const api = useApi();
  const [asked, setAsked] = useState(name);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(name), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [name]);
  const query = useQuery({
    queryKey: ['missions', 'named', asked],
    queryFn: async ({ signal }) => {
      const found = await api.call(listMissions, { query: { search: asked, limit: '100' } }, { signal });
      return found.some((mission) => mission.name === asked);
    },
    enabled: enabled && asked !== '' && !/\s/.test(asked),
    staleTime: 5000,
  });
  return asked === name && query.data === true;
}
