import {
  type Actor,
  type AnnotationRow,
  classificationOf,
  type LockableFacts,
  type ShownAnnotation,
} from '@osprey/contract';
import { type SelectQueryBuilder, sql } from 'kysely';
import { knowsGroup } from '../../base/access/known-groups.ts';
import type { Database } from '../../base/db/schema.ts';
import { anchorIn } from '../../media/anchors/frame-places.ts';
import { type Framed, frameColumns, indexKeyOfFrame } from './frames.ts';

const groupsOfAnnotation = sql<string[]>`array(
  select usergroup_id::text from annotation_usergroups where annotation_id = annotations.id order by usergroup_id)`;

/** Adds the columns shown in the table: all except the features. */
export function selectAnnotation<T>(query: SelectQueryBuilder<Database, 'annotations', T>) {
  return query
    .select([
      'annotations.title',
      'annotations.description',
      'annotations.classification',
      'annotations.marked',
      'annotations.audience',
      'annotations.edit_lock',
      'annotations.tags',
      'annotations.author_id',
      'annotations.author',
      'annotations.creation_time',
      'annotations.state',
      'annotations.mission_id',
      'annotations.geometries',
      'annotations.vertices',
      'annotations.revision',
      'annotations.deleted_time',
      'annotations.deleted_by',
    ])
    .select(frameColumns)
    .select(indexKeyOfFrame)
    .select(groupsOfAnnotation.as('usergroups'));
}

export type StoredAnnotation = Awaited<
  ReturnType<ReturnType<typeof selectAnnotation<object>>['executeTakeFirstOrThrow']>
>;

/** Facts with the annotation's id, so that the audit can name the item. */
export type AnnotationFacts = LockableFacts & { id: string };

export const factsOfAnnotation = (row: StoredAnnotation): AnnotationFacts => ({
  id: row.id,
  securityClassification: classificationOf(row.classification),
  audience: row.audience,
  usergroups: row.usergroups,
  draft: row.state === 'Created',
  locked: row.edit_lock,
  authorId: row.author_id,
});

/** A row in the contract's shape. */
export function toAnnotation(row: Framed<StoredAnnotation>, actor: Actor): AnnotationRow {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    annotationType: 'GeoJson',
    securityClassification: classificationOf(row.classification),
    marked: row.marked,
    restricted: row.edit_lock,
    usergroups: row.usergroups.filter((id) => knowsGroup(actor, id)),
    audience: row.audience,
    tags: row.tags,
    geometries: row.geometries,
    vertices: row.vertices,
    author: row.author,
    authorId: row.author_id,
    creationTime: row.creation_time,
    missionId: row.mission_id,
    startTime: row.start_time,
    endTime: row.end_time,
    frame: frameOf(row),
    revision: row.revision,
    deletedTime: row.deleted_time,
  };
}

function frameOf(row: Framed<StoredAnnotation>): AnnotationRow['frame'] {
  const { frame_state: state, frame_time: time, sensor_id: sensorId } = row;
  return state === null || time === null ? null : { sensorId, time, anchor: anchorIn(row), state };
}

type ShownRow = Pick<
  StoredAnnotation,
  'id' | 'title' | 'description' | 'author' | 'classification' | 'marked' | 'mission_id' | 'start_time' | 'end_time'
>;

/**
 * Returns the JSON of an annotation in the form shown on a map (`ShownAnnotation`).
 *
 * @param features JSON of its features, which were validated when written
 */
export function shownText(row: ShownRow, simplified: boolean, features: string): string {
  const head: Omit<ShownAnnotation, 'features'> = {
    _id: row.id,
    title: row.title,
    description: row.description,
    author: row.author,
    securityClassification: classificationOf(row.classification),
    marked: row.marked,
    missionId: row.mission_id,
    startTime: row.start_time,
    endTime: row.end_time,
    simplified,
  };
  return `${JSON.stringify(head).slice(0, -1)},"features":${features}}`;
}
