import type { QueryClient } from '@tanstack/react-query';
import { beginsWith, itemReader } from './about.ts';
import { type PageItem, pageItems } from './items.ts';
import { forgetUnseen } from './revoked.ts';

/** Items of one kind changed: what was read about them is read again, and what their entry in the table names. */
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

/** Kinds of data besides items whose changes the server reports. */
const notifiedNouns = ['backups', 'dashboard', 'jobs', 'licence', 'sessions', 'usergroups', 'users'];

/** The first connection came after the first lists were asked for: no event reported changes in between. */
export function listsMayHaveChanged(queries: QueryClient, items: readonly PageItem[] = pageItems): void {
  const keys = [...items.flatMap(({ missed }) => missed), ...notifiedNouns.map((noun) => [noun])];
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
}

/** Reads everything again: after a reconnect, missed changes and lost rights are unknown. */
export function everythingChanged(queries: QueryClient): void {
  forgetUnseen(queries);
  void queries.invalidateQueries();
}
