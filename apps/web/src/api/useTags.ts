import { listTags } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';

const none: string[] = [];

/** Tags in use on what the reader can see. A failed call leaves an empty list. */
export function useTags(): readonly string[] {
  const api = useApi();
  const query = useQuery({
    queryKey: ['tags'],
    queryFn: ({ signal }) => api.call(listTags, { query: {} }, { signal }),
  });
  return query.data ?? none;
}
