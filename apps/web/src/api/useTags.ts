import { listTags } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';

const none: string[] = [];

/** Returns the tags in use on items that the user can see. If the call fails, the list is empty. */
export function useTags(): readonly string[] {
  const api = useApi();
  const query = useQuery({
    queryKey: ['tags'],
    queryFn: ({ signal }) => api.call(listTags, { query: {} }, { signal }),
  });
  return query.data ?? none;
}
