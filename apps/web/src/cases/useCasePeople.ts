import { listCasePeople } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/api.ts';

const none: readonly { _id: string; username: string }[] = [];

/** Returns the readers of a case who can become its editors or its owner. `id` null: nothing is read. */
export function useCasePeople(id: string | null, as: 'editor' | 'owner' = 'editor') {
  const api = useApi();
  const query = useQuery({
    queryKey: ['cases', 'people', id, as],
    queryFn: ({ signal }) => api.call(listCasePeople, { params: { id: id! }, query: { as } }, { signal }),
    enabled: id !== null,
    // Always requested again, since accounts may have been added or removed.
    staleTime: 0,
  });
  const people = query.data ?? none;
  const byName = useMemo(() => new Map(people.map(({ _id, username }) => [username, _id])), [people]);
  return { byName, loading: query.isLoading, error: query.error };
}

export type CasePeople = ReturnType<typeof useCasePeople>;
