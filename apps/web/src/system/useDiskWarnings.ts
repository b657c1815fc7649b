import { getHealth } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';

/**
 * Polling interval in milliseconds. A minute is enough, since disks do not fill faster, and every page of an admin
 * polls.
 */
const POLL_MS = 60_000;
/** Checks of the health page that concern free space. */
const DISKS: ReadonlySet<string> = new Set(['disk', 'database disk']);

/** Returns the server's warnings about disks with little free space, for accounts that may see them. */
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
