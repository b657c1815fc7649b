import { listMissions } from '@osprey/contract';
import type { Api, CallOptions } from '../api/api.ts';

/** Returns the number of missions that match a filter; null if the server does not return it. */
export async function countMissions(
  api: Api,
  query: Record<string, string>,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<number | null> {
  let total: number | null = null;
  await api.call(
    listMissions,
    { query: { ...query, limit: '1', count: '1' } },
    {
      ...options,
      onHeaders: (headers) => {
        const text = headers.get('x-total-count');
        total = text === null ? null : Number(text);
      },
    },
  );
  return total;
}
