import { type Actor, classificationOf, type OnlyAudienceItem } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db, visible, visibleDocuments, visiblePlatforms } from '../../base/access/visibility.ts';

/** More are told of as "and others". */
const ITEMS_SHOWN = 20;

const links = {
  missions: { table: 'mission_usergroups', key: 'mission_id' },
  documents: { table: 'document_usergroups', key: 'document_id' },
  platforms: { table: 'platform_usergroups', key: 'platform_id' },
} as const;
type Noun = keyof typeof links;

/** Shared with groups, and with none beside these. */
function isOnlyIn(noun: Noun, groupIds: readonly string[]) {
  const link = sql.table(links[noun].table);
  const key = sql.ref(`${links[noun].table}.${links[noun].key}`);
  const group = sql.ref(`${links[noun].table}.usergroup_id`);
  const id = sql.ref(`${noun}.id`);
  return sql<boolean>`(
    ${sql.ref(`${noun}.audience`)} = 'groups'
    and exists (select from ${link} where ${key} = ${id})
    and not exists (select from ${link} where ${key} = ${id} and ${group} <> all (${[...groupIds]}::uuid[])))`;
}

/** Items, not in the bin, that nobody but the superAdmin would see without these groups. */
export async function countOnlyIn(db: Db, groupIds: readonly string[]): Promise<number> {
  let total = 0;
  for (const noun of ['missions', 'documents', 'platforms'] as const) {
    const { count } = await asSystem(db, 'label')
      .selectFrom(noun)
      .select(sql<number>`count(*)`.as('count'))
      .where('deleted_time', 'is', null)
      .where(isOnlyIn(noun, groupIds))
      .executeTakeFirstOrThrow();
    total += count;
  }
  return total;
}

/** Those of them that the actor sees, by name, and whether there are others. */
export async function onlyIn(
  db: Db,
  actor: Actor,
  groupIds: readonly string[],
): Promise<{ items: OnlyAudienceItem[]; hidden: boolean }> {
  const missions = await visible(db, actor)
    .where(isOnlyIn('missions', groupIds))
    .select(['missions.id', 'missions.name', 'missions.classification'])
    .orderBy('missions.name')
    .limit(ITEMS_SHOWN)
    .execute();
  const documents = await visibleDocuments(db, actor)
    .where(isOnlyIn('documents', groupIds))
    .select(['documents.id', 'documents.title as name', 'documents.classification'])
    .orderBy('documents.title')
    .limit(ITEMS_SHOWN)
    .execute();
  const platforms = await visiblePlatforms(db, actor)
    .where(isOnlyIn('platforms', groupIds))
    .select(['platforms.id', 'platforms.name', 'platforms.classification'])
    .orderBy('platforms.name')
    .limit(ITEMS_SHOWN)
    .execute();
  const items = Object.entries({ missions, documents, platforms }).flatMap(([noun, rows]) =>
    rows.map(({ id, name, classification }) => ({
      _id: id,
      noun: noun as Noun,
      name,
      label: classificationOf(classification),
    })),
  );
  const shown = items.slice(0, ITEMS_SHOWN);
  return { items: shown, hidden: (await countOnlyIn(db, groupIds)) > shown.length };
}
