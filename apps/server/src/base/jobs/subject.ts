import type { Selectable } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { ItemKind } from '../items/kinds.ts';

export type JobRow = Selectable<Database['jobs']>;
export type JobItem = { kind: ItemKind; id: string };

/** The item that a job works on; null where its row names none of these kinds. */
export function itemOfJob(kinds: readonly ItemKind[], row: JobRow): JobItem | null {
  const columns = row as Readonly<Record<string, unknown>>;
  for (const kind of kinds) {
    const id = kind.job === undefined ? null : columns[kind.job];
    if (typeof id === 'string') return { kind, id };
  }
  return null;
}
