import { getUser, listUsers, type User } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { usePages } from '../api/usePages.ts';
import type { UserFilter, UserSort } from './useUserFilter.ts';

/** Loads the accounts that match the filter and that the user may see; if `enabled` is false, nothing is loaded. */
export function useUsers(filter: UserFilter, sort: UserSort, enabled = true) {
  return usePages<User>({
    queryKey: ['users', 'list', filter, sort],
    enabled,
    read: (api, page, options) => api.call(listUsers, { query: { ...toQuery(filter), sort, ...page } }, options),
  });
}

function toQuery({ search, roles, states, usergroups, online }: UserFilter) {
  return {
    ...(search !== '' && { search }),
    ...(roles.length > 0 && { roles: roles.join(',') }),
    ...(states.length > 0 && { states: states.join(',') }),
    ...(usergroups.length > 0 && { usergroups: usergroups.join(',') }),
    ...(online && { online: '1' as const }),
  };
}

/** Loads one account; the row known from the list is shown immediately. */
export function useUser(id: string, existing: User | undefined) {
  const api = useApi();
  return useQuery({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => api.call(getUser, { params: { id } }, { signal }),
    ...(existing && { initialData: existing, initialDataUpdatedAt: 0 }),
  });
}

/** Returns the number of accounts that wait for approval. */
export function useWaitingCount(): number {
  const api = useApi();
  const query = useQuery({
    queryKey: ['users', 'waiting'],
    queryFn: async ({ signal }) => {
      let count = 0;
      await api.call(
        listUsers,
        { query: { states: 'waiting', limit: '1', count: '1' as const } },
        {
          signal,
          onHeaders: (headers) => {
            count = Number(headers.get('x-total-count') ?? 0);
          },
        },
      );
      return count;
    },
  });
  return query.data ?? 0;
}
