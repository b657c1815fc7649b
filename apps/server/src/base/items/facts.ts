import { classificationOf, type LockableFacts } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../access/as-system.ts';
import { prepared } from '../db/prepared.ts';
import type { ItemKind } from './kinds.ts';
import { columnOf } from './visible.ts';

/** Facts of a stored item that rights depend on. Items in the bin have them too. */
export type StoredFacts = LockableFacts & {
  authorId: string | null;
  /** Ids of the accounts that may edit the item. */
  editors: readonly string[];
  id: string;
  /** Singular name, as in `ItemKind`. */
  item: string;
  name: string;
  /** Rises with each change of its rights. */
  epoch: number;
  /** True if the item is in the bin. */
  deleted: boolean;
};

type Row = {
  id: string;
  name: string;
  classification: number;
  audience: 'everyone' | 'groups';
  draft: boolean;
  locked: boolean;
  authorId: string | null;
  editors: string[];
  epoch: number;
  deleted: boolean;
  usergroups: string[];
};

function editorsOf({ editors, ...kind }: ItemKind) {
  if (editors === undefined) return sql`'{}'::text[]`;
  return sql`array(select ${sql.ref(`editor.${editors.user}`)}::text from ${sql.table(editors.table)} editor
    where ${sql.ref(`editor.${editors.key}`)} = ${columnOf(kind, 'id')})`;
}

/** Facts of items of one kind, by id; those without a row are absent. */
export async function factsOf(kind: ItemKind, db: Db, ids: readonly string[]): Promise<Map<string, StoredFacts>> {
  if (ids.length === 0) return new Map();
  const column = (name: string) => columnOf(kind, name);
  const draft = kind.draft === undefined ? sql`false` : sql`${column('state')} = ${sql.lit(kind.draft)}`;
  const statement = sql<Row>`select ${column('id')}, ${column(kind.name)} as name, ${column('classification')}, ${column('audience')},
      ${draft} as draft, ${kind.lock === undefined ? sql`false` : column(kind.lock)} as locked,
      ${kind.author === undefined ? sql`null` : sql`${column(kind.author)}::text`} as "authorId",
      ${editorsOf(kind)} as editors,
      ${column('epoch')}, ${column('deleted_time')} is not null as deleted,
      array(select link.usergroup_id::text from ${sql.table(kind.links.table)} link
        where ${sql.ref(`link.${kind.links.key}`)} = ${column('id')} order by link.usergroup_id) as usergroups
      from ${sql.table(kind.table)} where ${column('id')} = any (${[...ids]}::uuid[])`;
  const rows = await prepared<Row>(db, { compile: () => statement.compile(db) });
  return new Map(
    rows.map(({ classification, ...row }) => [
      row.id,
      { ...row, item: kind.item, securityClassification: classificationOf(classification) },
    ]),
  );
}

/** Facts of items of any kind, by id. */
export async function factsById(
  kinds: readonly ItemKind[],
  db: Db,
  ids: readonly string[],
): Promise<Map<string, StoredFacts>> {
  const found = new Map<string, StoredFacts>();
  for (const kind of kinds) {
    const left = ids.filter((id) => !found.has(id));
    for (const [id, facts] of await factsOf(kind, db, left)) found.set(id, facts);
  }
  return found;
}
