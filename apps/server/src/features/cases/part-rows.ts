import type { Actor, CasePart } from '@osprey/contract';
import { classificationOf } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { items } from '../../base/items/product.ts';
import { isReadablePart } from './readable.ts';

/** Reads the parts of a case that the actor may read, in their order, with the items that they show. */
export function shownParts(db: Db, actor: Actor, caseId: string) {
  return (
    asSystem(db, 'case')
      .selectFrom('case_parts')
      .innerJoin('cases', 'cases.id', 'case_parts.case_id')
      .leftJoin('documents', 'documents.id', 'case_parts.document_id')
      .leftJoin('snapshots', 'snapshots.document_id', 'case_parts.document_id')
      .leftJoin('annotations', 'annotations.id', 'case_parts.annotation_id')
      .leftJoin('bookmarks', 'bookmarks.id', 'case_parts.bookmark_id')
      .leftJoin('clips', 'clips.id', 'case_parts.clip_id')
      .leftJoin('missions', (join) =>
        join.on(sql<boolean>`missions.id = coalesce(case_parts.mission_id, snapshots.mission_id)`),
      )
      .leftJoin('sensors', (join) =>
        join.on(sql<boolean>`sensors.id = coalesce(case_parts.sensor_id, bookmarks.sensor_id, snapshots.sensor_id,
          annotations.sensor_id)`),
      )
      .where('case_parts.case_id', '=', caseId)
      .where('case_parts.removed_time', 'is', null)
      .where('cases.deleted_time', 'is', null)
      .where(isReadablePart(db, actor))
      .selectAll('case_parts')
      .select('cases.own_classification')
      .select(['documents.title as document_title', 'documents.deleted_time as document_deleted'])
      .select('documents.thumbnail as document_thumbnail')
      .select(['annotations.title as annotation_title', 'annotations.deleted_time as annotation_deleted'])
      .select(['annotations.start_time as annotation_start', 'annotations.end_time as annotation_end'])
      .select('annotations.frame_time')
      .select(['bookmarks.title as bookmark_title', 'bookmarks.deleted_time as bookmark_deleted'])
      .select(['bookmarks.thumbnail as bookmark_thumbnail', 'bookmarks.last_time as bookmark_time'])
      .select(['clips.title as clip_title', 'snapshots.taken_time', 'snapshots.sensor_name as snapshot_sensor'])
      .select(['snapshots.picture as snapshot_picture', 'snapshots.overlays_sha256'])
      .select([
        sql<string | null>`coalesce(bookmarks.file_id, snapshots.file_id, annotations.file_id)`.as('file_id'),
        sql<number | null>`coalesce(bookmarks.run, snapshots.run, annotations.run)`.as('run'),
        sql<number | null>`coalesce(bookmarks.pts, snapshots.pts, annotations.pts)`.as('pts'),
      ])
      .select(['missions.id as mission', 'missions.name as mission_name', 'missions.deleted_time as mission_deleted'])
      // An annotation may be shared with people who do not see its mission.
      .select(sql<boolean>`(missions.id is not null and ${items.visibleTo('mission', actor)})`.as('mission_shown'))
      .select(['sensors.id as sensor', 'sensors.name as sensor_name', 'sensors.index_key', 'sensors.time_shift'])
      .orderBy('case_parts.position')
      .orderBy('case_parts.id')
      .execute()
  );
}

export type PartRow = Awaited<ReturnType<typeof shownParts>>[number];

export type PartTimes = { startTime: number | null; endTime: number | null };
/** A sensor in the span of a part; a moment has the same start and end. */
export type Filmed = {
  sensorId: string;
  sensorName: string | null;
  /** Null where nothing of it has been read. */
  indexKey: string | null;
  shiftUs: number;
  startUs: number;
  endUs: number;
};
export type PartDetails = PartTimes & Pick<CasePart, 'extent' | 'thumbnailUrl'> & { filmed: readonly Filmed[] };

export function stateOf(row: PartRow): CasePart['state'] {
  if (row.kind !== 'note' && subjectOf(row) === null) return 'gone';
  const deleted = [row.document_deleted, row.annotation_deleted, row.bookmark_deleted];
  const ofMission = row.document_id === null && row.annotation_id === null ? [row.mission_deleted] : [];
  return [...deleted, ...ofMission].some((time) => time !== null) ? 'inBin' : 'shown';
}

/** In the contract's shape. For sources in the bin, or gone, only title and times. */
export function toPart(row: PartRow, { startTime, endTime, extent, thumbnailUrl, filmed }: PartDetails): CasePart {
  const state = stateOf(row);
  const isShown = state === 'shown';
  const inMission = isShown && row.mission_shown && row.mission_deleted === null;
  return {
    _id: row.id,
    kind: row.kind,
    subjectId: state === 'gone' ? null : subjectOf(row),
    title: row.document_title ?? row.annotation_title ?? row.bookmark_title ?? row.clip_title ?? row.title,
    remark: row.remark,
    text: row.text,
    missionId: inMission ? row.mission : null,
    missionName: inMission ? row.mission_name : null,
    ...(inMission ? sensorOf(row, filmed) : { sensorId: null, sensorName: null }),
    startTime,
    endTime,
    // A note was written at the label of the case, or below.
    securityClassification: classificationOf(row.kind === 'note' ? row.own_classification : row.classification),
    extent,
    thumbnailUrl,
    picture: isShown ? row.snapshot_picture : null,
    overlays: isShown && row.overlays_sha256 !== null,
    state,
    author: row.author,
    added: row.added,
    revision: row.revision,
  };
}

/** A clip of several sensors names them all, and none of them by its id. */
function sensorOf(row: PartRow, filmed: readonly Filmed[]): Pick<CasePart, 'sensorId' | 'sensorName'> {
  if (row.clip_id === null) return { sensorId: row.sensor, sensorName: row.sensor_name ?? row.snapshot_sensor };
  const [first, ...more] = filmed;
  const names = filmed.flatMap(({ sensorName }) => sensorName ?? []);
  return {
    sensorId: first === undefined || more.length > 0 ? null : first.sensorId,
    sensorName: names.length === 0 ? null : names.join(', '),
  };
}

const subjectOf = (row: PartRow): string | null =>
  row.document_id ?? row.annotation_id ?? row.bookmark_id ?? row.clip_id ?? row.sensor_id;
