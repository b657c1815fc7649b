import type { Query, QueryClient } from '@tanstack/react-query';
import { beginsWith, itemReader } from './about.ts';
import { type PageItem, pageItems } from './items.ts';

/** Content of the event `revoked`. */
type Lost = { noun: string; ids: readonly string[]; all?: true | undefined };

/** First parts of the keys of queries without content of items with rights. Any other may have some, new ones too. */
export const namesNoItem: ReadonlySet<unknown> = new Set([
  'backups',
  'credentials',
  'licence',
  'login',
  'manual',
  'mapconfig',
  'metrics',
  'passwordLink',
  'places',
  'platformTypes',
  'second-factor',
  'setup',
  'storedCheck',
  'system',
  'systeminfo',
  'updates',
  'usergroups',
  'users',
]);

/**
 * Removes these items from memory after their rights were lost. Rows leave the lists in place; queries that are not on
 * screen and may hold an item are dropped, and those on screen are asked for again.
 */
export function itemsRevoked(
  queries: QueryClient,
  { noun, ids, all }: Lost,
  items: readonly PageItem[] = pageItems,
): void {
  const itemOf = itemReader(queries, items);
  const named = new Set(ids);
  const isLost = (id: string | null) => all === true || (id !== null && named.has(id));
  const isTaken = ({ queryKey }: Query) => {
    const item = itemOf(queryKey);
    return item?.noun === noun && isLost(item.id);
  };
  const mayReveal = ({ queryKey }: Query) => {
    if (namesNoItem.has(queryKey[0]) || itemOf(queryKey) !== null) return false;
    return items.every(({ lists, noun: own }) =>
      lists.every(({ key, whole, ownOnly }) => {
        if (!beginsWith(queryKey, key)) return true;
        // Rows are taken out below.
        return own === noun ? !whole || all === true : !ownOnly;
      }),
    );
  };

  queries.removeQueries({ type: 'inactive', predicate: (query) => isTaken(query) || mayReveal(query) });
  if (all === true) {
    for (const query of active(queries, (one) => isTaken(one) || mayReveal(one))) empty(query);
    void queries.refetchQueries({ type: 'active', predicate: (query) => isTaken(query) || mayReveal(query) });
    return;
  }
  const lost = items.find((item) => item.noun === noun);
  if (lost !== undefined) takeOut(queries, lost, isLost);
  for (const query of active(queries, isTaken)) empty(query);
  if (!lost?.closedByPage) void queries.refetchQueries({ type: 'active', predicate: isTaken });
  void queries.invalidateQueries({ predicate: mayReveal });
}

/** Drops queries that are not on screen and may hold an item: the server is asked when they are shown again. */
export function forgetUnseen(queries: QueryClient): void {
  // A query that is being read right now is decided with the current rights.
  const isUnseen = ({ queryKey }: Query) => !namesNoItem.has(queryKey[0]);
  queries.removeQueries({ type: 'inactive', fetchStatus: 'idle', predicate: isUnseen });
}

const active = (queries: QueryClient, predicate: (query: Query) => boolean) =>
  queries.getQueryCache().findAll({ type: 'active', predicate });

/** As before it was read. Not `reset`: that would bring back what it began with, which is a row of a list. */
function empty(query: Query): void {
  void query.cancel({ silent: true });
  query.setState({ data: undefined, dataUpdatedAt: 0, error: null, status: 'pending', fetchStatus: 'idle' });
}

/** Takes the rows of lost items out of the lists that are kept. */
function takeOut(queries: QueryClient, { lists }: PageItem, isLost: (id: string | null) => boolean): void {
  for (const { key: queryKey, without, whole } of lists) {
    queries.setQueriesData({ queryKey }, (answer: unknown) => answer && without(answer, isLost));
    if (!whole) continue;
    // A query that was out of date before is so still.
    void queries.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' });
    // An answer under way may be of before: it would bring the rows back.
    void queries.invalidateQueries({ queryKey, type: 'active', fetchStatus: 'fetching' });
  }
}
