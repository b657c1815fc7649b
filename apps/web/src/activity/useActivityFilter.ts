import { type ActivityKind, activityKinds } from '@osprey/contract';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { timeOf } from '../base/time-of.ts';
import { REPLACE_NOW } from '../ui/at-once.ts';
import { isoOf, listOf } from '../ui/filter/query-filter.ts';

export const views = ['activity', 'sessions', 'audit'] as const;
export type View = (typeof views)[number];

export type Filter = {
  /** Start of the time range, and below its end, in UTC microseconds. */
  start: number | null;
  end: number | null;
  users: readonly string[];
  kinds: readonly ActivityKind[];
  /** Exact names of actions; used only for the audit. */
  actions: readonly string[];
  item: string;
  outcome: '' | 'allowed' | 'refused';
};

export const noFilter: Filter = { start: null, end: null, users: [], kinds: [], actions: [], item: '', outcome: '' };

const textOf = (timeUs: number | null): string => (timeUs === null ? '' : isoOf(timeUs));

export const isFiltered = (filter: Filter): boolean => JSON.stringify(filter) !== JSON.stringify(noFilter);

/** Returns the query parameters for the activity calls. Unset values are left out. */
export function toQuery({ start, end, users, kinds, item, outcome }: Filter) {
  return {
    ...(start !== null && { start: isoOf(start) }),
    ...(end !== null && { end: isoOf(end) }),
    ...(users.length > 0 && { users: users.join(',') }),
    ...(kinds.length > 0 && { kinds: kinds.join(',') }),
    ...(item !== '' && { item }),
    ...(outcome !== '' && { outcome }),
  };
}

/** Returns the query parameters for the audit calls, which accept a single user, and actions by their exact names. */
export function toAuditQuery({ start, end, users, actions, item, outcome }: Filter) {
  return {
    ...(start !== null && { start: isoOf(start) }),
    ...(end !== null && { end: isoOf(end) }),
    ...(users[0] !== undefined && { actor: users[0] }),
    ...(actions.length > 0 && { actions: actions.join(',') }),
    ...(item !== '' && { item }),
    ...(outcome !== '' && { outcome }),
  };
}

/** Reads the filter from the query of an address. Invalid values are ignored. */
export function filterOf(query: URLSearchParams): Filter {
  const outcome = query.get('outcome');
  return {
    start: timeOf(query.get('start')),
    end: timeOf(query.get('end')),
    users: listOf(query.get('users')),
    kinds: activityKinds.filter((kind) => listOf(query.get('kinds')).includes(kind)),
    actions: listOf(query.get('actions')),
    item: query.get('item') ?? '',
    outcome: outcome === 'allowed' || outcome === 'refused' ? outcome : '',
  };
}

/** Returns the view and its filter, which are both stored entirely in the link. */
export function useActivityFilter() {
  const [query, setQuery] = useSearchParams();
  const filter = useMemo(() => filterOf(query), [query]);

  const setFilter = useCallback(
    (requested: Filter) =>
      setQuery((before) => {
        const next = new URLSearchParams();
        const view = before.get('view');
        if (view) next.set('view', view);
        const values = {
          start: textOf(requested.start),
          end: textOf(requested.end),
          users: requested.users.join(','),
          kinds: requested.kinds.join(','),
          actions: requested.actions.join(','),
          item: requested.item,
          outcome: requested.outcome,
        };
        for (const [key, value] of Object.entries(values)) if (value !== '') next.set(key, value);
        return next;
      }, REPLACE_NOW),
    [setQuery],
  );

  const view = views.find((one) => one === query.get('view')) ?? 'activity';
  const setView = useCallback(
    (requested: View) =>
      setQuery((before) => {
        const users = before.get('users');
        return { ...(requested !== 'activity' && { view: requested }), ...(users && { users }) };
      }),
    [setQuery],
  );
  return { filter, setFilter, view, setView };
}
