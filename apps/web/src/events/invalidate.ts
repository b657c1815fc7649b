import type { QueryClient } from '@tanstack/react-query';
import { beginsWith, itemReader } from './about.ts';
import { type PageItem, pageItems } from './items.ts';
import { forgetUnseen } from './revoked.ts';

/**
 * Called when items of one kind have changed: data about these items are read again, and the data that the item's
 * `changed` keys name.
 */
export function itemsChanged(
  queries: QueryClient,
  { noun, changed }: PageItem,
  ids: readonly string[],
  items: readonly PageItem[] = pageItems,
): void {
  if (changed === undefined) return;
  const itemOf = itemReader(queries, items);
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => {
      if (changed.some((key) => beginsWith(queryKey, key))) return true;
      const item = itemOf(queryKey);
      return item?.noun === noun && ids.includes(item.id);
    },
  });
}

/** Kinds of data other than items whose changes the server reports. */
const notifiedNouns = ['backups', 'dashboard', 'jobs', 'licence', 'sessions', 'usergroups', 'users'];

/**
 * Called after the first connection: lists that were requested before it may have missed changes, since no event
 * reported them.
 */
export function listsMayHaveChanged(queries: QueryClient, items: readonly PageItem[] = pageItems): void {
  const keys = [...items.flatMap(({ missed }) => missed), ...notifiedNouns.map((noun) => [noun])];
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
}

/**
 * Reads everything again after a reconnection, since it is not known which changes were missed and which rights were
 * lost.
 */
export function everythingChanged(queries: QueryClient): void {
  forgetUnseen(queries);
  void queries.invalidateQueries();
}
