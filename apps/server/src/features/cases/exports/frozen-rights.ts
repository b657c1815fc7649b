import { type Actor, isAdmin } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../../base/access/as-system.ts';
import { items } from '../../../base/items/product.ts';
import { isReadablePart } from '../readable.ts';
import type { FrozenPart } from './frozen.ts';

type Followed = 'mission' | 'document' | 'annotation';

/** The item that the rights of a part go by; null where that was gone when it was frozen. */
function followed({ kind, subjectId, missionId }: FrozenPart): { item: Followed; id: string } | null {
  if (subjectId === null) return null;
  if (kind === 'document' || kind === 'snapshot') return { item: 'document', id: subjectId };
  if (kind === 'annotation') return { item: 'annotation', id: subjectId };
  return missionId === null ? null : { item: 'mission', id: missionId };
}

/**
 * Ids of the frozen parts that the actor may not read now. A source that is gone for good is judged by the facts that
 * the case keeps of it; a part that left the case too, by the maker of the version: the maker and admins may read it.
 */
export async function hiddenParts(
  db: Db,
  actor: Actor,
  parts: readonly FrozenPart[],
  isMaker: boolean,
): Promise<Set<string>> {
  const known = new Map<string, boolean>();
  for (const [item, table] of [
    ['mission', 'missions'],
    ['document', 'documents'],
    ['annotation', 'annotations'],
  ] as const) {
    const ids = parts.flatMap((part) => {
      const by = followed(part);
      return by?.item === item ? [by.id] : [];
    });
    if (ids.length === 0) continue;
    const rows = await asSystem(db, 'case')
      .selectFrom(table)
      .where(sql<boolean>`${sql.ref(`${table}.id`)} = any (${[...new Set(ids)]}::uuid[])`)
      .select(sql<string>`${sql.ref(`${table}.id`)}::text`.as('id'))
      .select(sql<boolean>`${items.visibleTo(item, actor)}`.as('seen'))
      .execute();
    for (const { id, seen } of rows) known.set(id, seen);
  }
  const gone = parts.filter((part) => part.kind !== 'note' && !known.has(followed(part)?.id ?? ''));
  const kept = await keptRights(db, actor, gone);
  return new Set(
    parts
      .filter((part) => {
        if (part.kind === 'note') return false;
        const seen = known.get(followed(part)?.id ?? '') ?? kept.get(part.id) ?? (isMaker || isAdmin(actor));
        return !seen;
      })
      .map(({ id }) => id),
  );
}

async function keptRights(db: Db, actor: Actor, parts: readonly FrozenPart[]): Promise<Map<string, boolean>> {
  if (parts.length === 0) return new Map();
  const rows = await asSystem(db, 'case')
    .selectFrom('case_parts')
    .where(sql<boolean>`case_parts.id = any (${parts.map(({ id }) => id)}::uuid[])`)
    .select('case_parts.id')
    .select(isReadablePart(db, actor).as('seen'))
    .execute();
  return new Map(rows.map(({ id, seen }) => [id, seen]));
}
