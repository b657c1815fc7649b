import { type Actor, isAdmin } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem } from '../../../base/access/as-system.ts';
import type { Contents } from '../../../base/items/content.ts';
import { items } from '../../../base/items/product.ts';
import { type CaseDb, contentOf } from '../contents.ts';
import { isReadablePart } from '../readable.ts';
import type { FrozenPart } from './frozen.ts';

/** Returns the item that decides the rights to a part; null if it no longer existed when the part was frozen. */
function followed(contents: Contents, { kind, subjectId, missionId }: FrozenPart) {
  if (subjectId === null) return null;
  const item = contentOf(contents, kind)?.item ?? 'mission';
  if (item !== 'mission') return { item, id: subjectId };
  return missionId === null ? null : { item, id: missionId };
}

/**
 * Returns the ids of the frozen parts that the actor may not currently read. If the source was permanently deleted, the
 * facts that the case keeps about it decide. If the part has also left the case, only the creator of the version and
 * admins may read it.
 */
export async function hiddenParts(
  { db, contents }: CaseDb,
  actor: Actor,
  parts: readonly FrozenPart[],
  isMaker: boolean,
): Promise<Set<string>> {
  const by = new Map(parts.map((part) => [part.id, followed(contents, part)]));
  const existing = new Map<string, boolean>();
  for (const [item, all] of Map.groupBy(by.values(), (one) => one?.item)) {
    if (item === undefined) continue;
    const ids = all.flatMap((one) => one?.id ?? []);
    const { table } = items.kindOf(item);
    const query = sql<{ id: string; seen: boolean }>`
      select ${sql.ref(`${table}.id`)}::text as id, ${items.visibleTo(item, actor)} as seen
      from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = any (${[...new Set(ids)]}::uuid[])`;
    for (const { id, seen } of (await query.execute(asSystem(db, 'case'))).rows) existing.set(id, seen);
  }
  const knownOf = (part: FrozenPart) => existing.get(by.get(part.id)?.id ?? '');
  const shared = parts.filter(({ kind }) => kind !== 'note');
  const retained = await keptRights(
    { db, contents },
    actor,
    shared.filter((part) => knownOf(part) === undefined),
  );
  return new Set(
    shared
      .filter((part) => !(knownOf(part) ?? retained.get(part.id) ?? (isMaker || isAdmin(actor))))
      .map(({ id }) => id),
  );
}

async function keptRights(
  { db, contents }: CaseDb,
  actor: Actor,
  parts: readonly FrozenPart[],
): Promise<Map<string, boolean>> {
  if (parts.length === 0) return new Map();
  const rows = await asSystem(db, 'case')
    .selectFrom('case_parts')
    .where(sql<boolean>`case_parts.id = any (${parts.map(({ id }) => id)}::uuid[])`)
    .select('case_parts.id')
    .select(isReadablePart(contents, actor).as('seen'))
    .execute();
  return new Map(rows.map(({ id, seen }) => [id, seen]));
}
