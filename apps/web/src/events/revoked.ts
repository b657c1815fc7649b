import type { Query, QueryClient } from '@tanstack/react-query';
import { beginsWith, itemReader } from './about.ts';
import { type PageItem, pageItems } from './items.ts';

/** As the event `revoked` tells it. */
type Lost = { noun: string; ids: readonly string[]; all?: true | undefined };

/** First parts of the keys of queries that tell of no item with rights. Any other may, new ones too. */
export const tellOfNoItem: ReadonlySet<unknown> = new Set([
  'backups',
  'credentials',
  'licence',
  'login',
  'mapconfig',
  'metrics',
  'passwordLink',
  'platformTypes',
  'second-factor',
  'setup',
  'storedCheck',
  'system',
  'systeminfo',
  'usergroups',
  'users',
]);

/**
 * Rights are gone: nothing of these items stays in memory. Rows leave the lists where they lie; what is not on screen
 * and may tell of an item is forgotten, and what is on screen is asked for again.
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
  const mayTell = ({ queryKey }: Query) => {
    if (tellOfNoItem.has(queryKey[0]) || itemOf(queryKey) !== null) return false;
    return items.every(({ lists, noun: own }) =>
      lists.every(({ key, whole, ownOnly }) => {
        if (!beginsWith(queryKey, key)) return true;
        // Rows are taken out below.
        return own === noun ? !whole || all === true : !ownOnly;
      }),
    );
  };

  queries.removeQueries({ type: 'inactive', predicate: (query) => isTaken(query) || mayTell(query) });
  if (all === true) {
    for (const query of active(queries, (one) => isTaken(one) || mayTell(one))) empty(query);
    void queries.refetchQueries({ type: 'active', predicate: (query) => isTaken(query) || mayTell(query) });
    return;
  }
  const lost = items.find((item) => item.noun === noun);
  if (lost !== undefined) takeOut(queries, lost, isLost);
  for (const query of active(queries, isTaken)) empty(query);
  if (!lost?.closedByPage) void queries.refetchQueries({ type: 'active', predicate: isTaken });
  void queries.invalidateQueries({ predicate: mayTell });
}

/** Forgets what is not on screen and may tell of an item: whoever comes back to it asks the server. */
export function forgetUnseen(queries: QueryClient): void {
  // What is being read right now is decided with the rights of now.
  const isUnseen = ({ queryKey }: Query) => !tellOfNoItem.has(queryKey[0]);
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
    // What was out of date before is so still.
    void queries.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' });
    // An answer under way may be of before: it would bring the rows back.
    void queries.invalidateQueries({ queryKey, type: 'active', fetchStatus: 'fetching' });
  }
}
