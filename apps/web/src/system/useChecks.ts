import { getHealth, type HealthCheck } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';

type Options<Of> = {
  enabled: boolean;
  /** Polling interval in milliseconds; where several parts of a page poll, the shortest serves them all. */
  everyMs: number;
  /** Defined outside of the component, so that it runs only on new answers. */
  select: (checks: readonly HealthCheck[]) => Of;
};

/** Returns what `select` makes of the server's checks; null until they are read. */
export function useChecks<Of>({ enabled, everyMs, select }: Options<Of>): Of | null {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['system', 'checks'],
    queryFn: async ({ signal }) => (await api.call(getHealth, {}, { signal })).checks ?? [],
    enabled,
    refetchInterval: everyMs,
    select,
  });
  return data ?? null;
}
