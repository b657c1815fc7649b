import { getHealth } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';

/** A disk does not fill within a minute, and every page of an admin asks. */
const POLL_MS = 60_000;
/** The checks of the health page that speak of free space. */
const DISKS: ReadonlySet<string> = new Set(['disk', 'database disk']);

/** The server's warnings about disks with little room left, for accounts that may know. */
export function useDiskWarnings(enabled: boolean): readonly string[] {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['system', 'disks'],
    queryFn: async ({ signal }) => {
      const { checks = [] } = await api.call(getHealth, {}, { signal });
      return checks.filter(({ name, state }) => DISKS.has(name) && state !== 'ok').map(({ text }) => text);
    },
    enabled,
    refetchInterval: POLL_MS,
  });
  return data ?? none;
}

const none: readonly string[] = [];
