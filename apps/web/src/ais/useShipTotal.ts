import { listAisTargets } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { type AisFilter, toQuery } from './ais-filter.ts';
import { POLL_MS } from './useAisTargets.ts';

/** Returns the number of ships that match the filter; null until they have been counted. */
export function useShipTotal(filter: AisFilter, enabled: boolean): number | null {
  const api = useApi();
  const { trail: _trail, plain: _plain, ...counted } = filter;
  const { data = null } = useQuery({
    queryKey: ['ais', 'total', counted],
    queryFn: async ({ signal }) => {
      let total = null as string | null;
      const query = { ...toQuery(filter, '', Date.now() * 1000), limit: '1', count: '1' } as const;
      const onHeaders = (headers: Headers) => {
        total = headers.get('x-total-count');
      };
      await api.call(listAisTargets, { query: query as never }, { signal, onHeaders });
      return total === null ? null : Number(total);
    },
    enabled,
    // Not repeated if the time range has an end, since past data do not change.
    ...(filter.end === null && { refetchInterval: POLL_MS }),
    placeholderData: (before) => before,
    retry: false,
  });
  return data;
}
