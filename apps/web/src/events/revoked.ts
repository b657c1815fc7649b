import type { Query, QueryClient } from '@tanstack/react-query';
import { beginsWith, itemReader } from './about.ts';
import { type PageItem, pageItems } from './items.ts';

/** Payload of the event `revoked`. */
type Lost = { noun: string; ids: readonly string[]; all?: true | undefined };

/**
 * First parts of the keys of queries that contain no data of items with rights. All other queries, including new ones,
 * are assumed to contain such data.
 */
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
 * Removes items from the cache after the rights to them were lost. Their rows are removed from lists in place. Queries
 * that may contain an item are dropped if they are not on screen, and read again if they are.
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
        // The rows are removed below.
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

/**
 * Drops queries that are not on screen and may contain an item, so that they are read again when they are next shown.
 */
export function forgetUnseen(queries: QueryClient): void {
  // A query that is being read now is kept, since the server applies the current rights to it.
  const isUnseen = ({ queryKey }: Query) => !namesNoItem.has(queryKey[0]);
  queries.removeQueries({ type: 'inactive', fetchStatus: 'idle', predicate: isUnseen });
}

const active = (queries: QueryClient, predicate: (query: Query) => boolean) =>
  queries.getQueryCache().findAll({ type: 'active', predicate });

/**
 * Resets a query to its state before it was read. `query.reset` cannot be used: it would restore the initial data,
 * which is a row of a list.
 */
function empty(query: Query): void {
  void query.cancel({ silent: true });
  query.setState({ data: undefined, dataUpdatedAt: 0, error: null, status: 'pending', fetchStatus: 'idle' });
}

/** Removes the rows of lost items from the cached lists. */
function takeOut(queries: QueryClient, { lists }: PageItem, isLost: (id: string | null) => boolean): void {
  for (const { key: queryKey, without, whole } of lists) {
    queries.setQueriesData({ queryKey }, (answer: unknown) => answer && without(answer, isLost));
    if (!whole) continue;
    // Marks inactive lists as stale again: writing the data has marked them as fresh.
    void queries.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' });
    // A request in progress may return data from before the loss, which would restore the rows, so it is repeated.
    void queries.invalidateQueries({ queryKey, type: 'active', fetchStatus: 'fetching' });
  }
}
