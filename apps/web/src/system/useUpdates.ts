import { getUpdates, type Updates } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';

/** Packages are copied into their folder without an event. */
const REFRESH_MS = 30_000;
/** While the server reads an archive. */
const SOON_MS = 1000;

/** What the server says of newer versions; `enabled` for accounts that may ask. */
export function useUpdates(enabled = true) {
  const api = useApi();
  return useQuery({
    queryKey: ['updates'],
    queryFn: ({ signal }) => api.call(getUpdates, {}, { signal }),
    enabled,
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? SOON_MS : REFRESH_MS),
  });
}

const isBusy = ({ packages }: Updates): boolean => packages.some(({ state }) => state === 'checking');
