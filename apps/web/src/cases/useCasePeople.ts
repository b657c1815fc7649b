import { listCasePeople } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/api.ts';

const none: readonly { _id: string; username: string }[] = [];

/** Possible editors of a case: accounts that may read it. Null reads nothing. */
export function useCasePeople(id: string | null) {
  const api = useApi();
  const query = useQuery({
    queryKey: ['cases', 'people', id],
    queryFn: ({ signal }) => api.call(listCasePeople, { params: { id: id! } }, { signal }),
    enabled: id !== null,
    // An account may have come or gone since.
    staleTime: 0,
  });
  const people = query.data ?? none;
  const byName = useMemo(() => new Map(people.map(({ _id, username }) => [username, _id])), [people]);
  return { byName, loading: query.isLoading, error: query.error };
}

export type CasePeople = ReturnType<typeof useCasePeople>;
