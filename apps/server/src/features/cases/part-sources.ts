import { type Actor, AppError, type CasePartKind, can, type NewCasePart } from '@osprey/contract';
import { type Selectable, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { visible, visibleAnnotations, visibleDocuments } from '../../base/items/visibility.ts';

/** A part that is to be added: which rows it shows, and the label that it brings. */
export type PartSource = Pick<Selectable<Database['case_parts']>, 'kind' | 'title' | keyof typeof nothing>;
export type PartSources = readonly PartSource[];

const nothing = {
  ...{ mission_id: null, document_id: null, annotation_id: null, bookmark_id: null, clip_id: null, sensor_id: null },
  ...{ start_time: null, end_time: null, text: null, remark: '', classification: 1 },
};

/**
 * Sources of the parts, as the actor may read them, locked against changes of label until the end of the transaction.
 * Take the lock of the case after it: a rise locks the source, and then the cases that hold it.
 *
 * @throws AppError notFound if one of them is hidden or absent
 */
export async function sourcesOf(tx: Db, actor: Actor, wanted: readonly NewCasePart[]): Promise<PartSource[]> {
  await lockSources(tx, wanted);
  const found: PartSource[] = [];
  for (const part of wanted) found.push(await sourceOf(tx, actor, part));
  return found;
}

async function sourceOf(tx: Db, actor: Actor, part: NewCasePart): Promise<PartSource> {
  if (part.kind === 'note') return { ...nothing, kind: 'note', title: part.title, text: part.text };
  const { kind, remark } = part;
  const row = await readers[kind](tx, actor, part as never);
  if (row === undefined) throw new AppError('notFound');
  return { ...nothing, kind, remark, ...row };
}

type Of<Kind extends CasePartKind> = Extract<NewCasePart, { kind: Kind }>;

const readers = {
  clip: (tx: Db, actor: Actor, { clipId }: Of<'clip'>) =>
    visible(tx, actor)
      .innerJoin('clips', 'clips.mission_id', 'missions.id')
      .where('clips.id', '=', clipId)
      .select(['clips.id as clip_id', 'clips.title', 'missions.id as mission_id', 'missions.classification'])
      .select([
        sql<number>`(select min(in_time) from clip_cuts where clip_cuts.clip_id = clips.id)`.as('start_time'),
        sql<number>`(select max(out_time) from clip_cuts where clip_cuts.clip_id = clips.id)`.as('end_time'),
      ])
      .executeTakeFirst(),

  bookmark: (tx: Db, actor: Actor, { bookmarkId }: Of<'bookmark'>) =>
    visible(tx, actor)
      .innerJoin('bookmarks', 'bookmarks.mission_id', 'missions.id')
      .where('bookmarks.id', '=', bookmarkId)
      .where('bookmarks.deleted_time', 'is', null)
      .select(['bookmarks.id as bookmark_id', 'bookmarks.title', 'bookmarks.last_time as start_time'])
      .select(['missions.id as mission_id', 'missions.classification'])
      .executeTakeFirst(),

  document: readDocument,
  snapshot: readDocument,

  annotation: (tx: Db, actor: Actor, { annotationId }: Of<'annotation'>) =>
    visibleAnnotations(tx, actor)
      .where('annotations.id', '=', annotationId)
      .select(['annotations.id as annotation_id', 'annotations.title', 'annotations.mission_id'])
      .select(['annotations.start_time', 'annotations.end_time', 'annotations.classification'])
      .executeTakeFirst(),

  async track(tx: Db, actor: Actor, { sensorId, startTime, endTime, title }: Of<'track'>) {
    if (endTime <= startTime) throw new AppError('invalid', { endTime: 'The end must come after the start' });
    const row = await visible(tx, actor)
      .innerJoin('sensors', 'sensors.mission_id', 'missions.id')
      .where('sensors.id', '=', sensorId)
      .select(['sensors.id as sensor_id', 'sensors.state', 'missions.id as mission_id', 'missions.classification'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { state, ...own } = row;
    // One in state Created is for those who may fill it.
    const mission = state === 'Created' ? await missionFacts(tx, own.mission_id, 'case') : null;
    if (state === 'Created' && !(mission && can(actor, 'mission.update', mission).allowed)) return undefined;
    return { ...own, start_time: startTime, end_time: endTime, title };
  },
};

/** Whether it is a snapshot, its row says. */
async function readDocument(tx: Db, actor: Actor, { documentId }: Of<'document'> | Of<'snapshot'>) {
  const row = await visibleDocuments(tx, actor)
    .leftJoin('snapshots', 'snapshots.document_id', 'documents.id')
    .where('documents.id', '=', documentId)
    .select(['documents.id', 'documents.title', 'documents.classification'])
    .select(['snapshots.document_id as snapshot', 'snapshots.taken_time'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id: document_id, title, classification, snapshot, taken_time: start_time } = row;
  const kind: CasePartKind = snapshot === null ? 'document' : 'snapshot';
  return { kind, document_id, title, classification, start_time };
}

/** Missions before what is derived of them, as their changes take the locks. */
async function lockSources(tx: Db, wanted: readonly NewCasePart[]): Promise<void> {
  const documents = wanted.flatMap((part) => ('documentId' in part ? [part.documentId] : []));
  const annotations = wanted.flatMap((part) => ('annotationId' in part ? [part.annotationId] : []));
  const missions = await asSystem(tx, 'case')
    .selectFrom('missions')
    .where(
      sql<boolean>`missions.id in (
        select mission_id from bookmarks where id = any (${idsOf(wanted, 'bookmarkId')}::uuid[])
        union select mission_id from clips where id = any (${idsOf(wanted, 'clipId')}::uuid[])
        union select mission_id from sensors where id = any (${idsOf(wanted, 'sensorId')}::uuid[])
        union select mission_id from snapshots where document_id = any (${documents}::uuid[])
        union select mission_id from annotations where id = any (${annotations}::uuid[]))`,
    )
    .select('id')
    .execute();
  for (const [table, ids] of [
    ['missions', missions.map(({ id }) => id)],
    ['documents', documents],
    ['annotations', annotations],
  ] as const) {
    if (ids.length === 0) continue;
    await asSystem(tx, 'case')
      .selectFrom(table)
      .select('id')
      .where('id', 'in', [...ids])
      .orderBy('id')
      .forShare()
      .execute();
  }
}

const idsOf = (wanted: readonly NewCasePart[], field: 'bookmarkId' | 'clipId' | 'sensorId'): string[] =>
  wanted.flatMap((part) => (field in part ? [(part as unknown as Record<typeof field, string>)[field]] : []));
