import { accountStates, type Role, roles, type userSorts } from '@osprey/contract';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { REPLACE_NOW } from '../ui/at-once.ts';

type SortName = (typeof userSorts)[number];
export type UserSort = SortName | `-${SortName}`;

export type UserFilter = {
  search: string;
  roles: readonly Role[];
  states: readonly (typeof accountStates)[number][];
  usergroups: readonly string[];
  online: boolean;
};

export const noFilter: UserFilter = { search: '', roles: [], states: [], usergroups: [], online: false };

export const isFiltered = ({ search, roles: byRole, states, usergroups, online }: UserFilter): boolean =>
  search !== '' || online || byRole.length + states.length + usergroups.length > 0;

const listOf = (text: string | null): string[] => (text ?? '').split(',').filter((part) => part !== '');

function write(query: URLSearchParams, key: string, value: string): void {
  if (value === '') query.delete(key);
  else query.set(key, value);
}

/** Filter, order and open account, all of which are stored in the address. */
export function useUserFilter() {
  const [query, setQuery] = useSearchParams();

  const filter = useMemo(
    (): UserFilter => ({
      search: query.get('search') ?? '',
      roles: roles.filter((role) => listOf(query.get('roles')).includes(role)),
      states: accountStates.filter((state) => listOf(query.get('states')).includes(state)),
      usergroups: listOf(query.get('usergroups')),
      online: query.get('online') === '1',
    }),
    [query],
  );

  const change = useCallback(
    (edit: (next: URLSearchParams) => void) =>
      setQuery((before) => {
        const next = new URLSearchParams(before);
        edit(next);
        return next;
      }, REPLACE_NOW),
    [setQuery],
  );

  const setFilter = useCallback(
    (requested: UserFilter) =>
      change((next) => {
        write(next, 'search', requested.search);
        for (const key of ['roles', 'states', 'usergroups'] as const) write(next, key, requested[key].join(','));
        write(next, 'online', requested.online ? '1' : '');
      }),
    [change],
  );

  return {
    filter,
    setFilter,
    sort: (query.get('sort') ?? 'username') as UserSort,
    setSort: useCallback((sort: UserSort) => change((next) => next.set('sort', sort)), [change]),
    openId: query.get('user'),
    setOpenId: useCallback((id: string | null) => change((next) => write(next, 'user', id ?? '')), [change]),
  };
}
