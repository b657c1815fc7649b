import type { CasePartKind } from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import type { Content, Contents } from '../../base/items/content.ts';

/** A database or transaction, and the contents that cases can hold. */
export type CaseDb = { db: Db; contents: Contents };

/** The content of a kind of part; null for notes and tracks. */
export const contentOf = (contents: Contents, kind: CasePartKind): Content | null =>
  contents.find((one) => one.kind === kind) ?? null;

/** Groups the ids of parts by the table of their rows, since kinds that share a table are locked together. */
export function idsByTable(
  contents: Contents,
  parts: readonly { kind: CasePartKind; id: string | null }[],
): Map<Content['table'], string[]> {
  const found = new Map<Content['table'], string[]>();
  // In the order of the contents, so that all transactions lock the tables in the same order.
  for (const { table } of contents) {
    const ids = parts.flatMap(({ kind, id }) => (contentOf(contents, kind)?.table === table ? (id ?? []) : []));
    if (ids.length > 0) found.set(table, [...new Set(ids)]);
  }
  return found;
}
