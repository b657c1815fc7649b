import {
  type Actor,
  AppError,
  access,
  classificationOf,
  isAnnotationSpan,
  micros,
  type NewAnnotation,
  newAnnotation,
  sensorName,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../base/db/schema.ts';
import type { MissionFacts } from '../../base/items/mission-facts.ts';
import { visibleAnnotations } from '../../base/items/visibility.ts';
import type { StoredFrame } from '../../media/anchors/frame-places.ts';
import type { Zip } from '../../media/formats/zip.ts';
import { archivedRights, rightsWithin } from './derived-rights.ts';
import type { ArchivedMission } from './manifest.ts';
import { archivedFrame, authorsNamed, frameIn, importedFrame, marksIn, notYetMade, placesFor } from './mark-files.ts';

/** Limit of one mission in an archive. */
export const ANNOTATIONS_MAX = 100_000;

/** One annotation in `annotations-1.json` and the files after it. */
const archivedAnnotation = newAnnotation
  .omit({ securityClassification: true, usergroups: true, missionId: true, frame: true })
  .extend({
    ...archivedRights,
    created: micros,
    author: z.string().max(256),
    /** Where it was drawn on video. `time`: of the frame when the archive was made. */
    drawnOn: z
      .strictObject({ sensor: sensorName.nullable(), frame: archivedFrame.nullable(), time: micros })
      .nullable()
      .default(null),
  })
  .refine(isAnnotationSpan);
type ArchivedAnnotation = z.output<typeof archivedAnnotation>;

/** Ids of annotations of a mission that the actor may read, with their labels. */
export const annotationsFor = (db: Kysely<Database>, actor: Actor, missionId: string) =>
  visibleAnnotations(db, actor)
    .where('annotations.mission_id', '=', missionId)
    .select(['annotations.id', 'annotations.classification'])
    .orderBy('annotations.creation_time')
    .orderBy('annotations.id')
    .execute();

/**
 * Gives the annotations with these ids one by one, in the form of an archive. Annotations deleted or raised above
 * `rank` meanwhile are left out.
 */
export async function* archivedAnnotations(
  db: Kysely<Database>,
  actor: Actor,
  { ids, rank, originals }: { ids: readonly string[]; rank: number; originals: ReadonlyMap<string, string> },
): AsyncGenerator<object> {
  for (const id of ids) {
    const row = await visibleAnnotations(db, actor)
      .where('annotations.id', '=', id)
      .where('annotations.classification', '<=', rank)
      .leftJoin('sensors', 'sensors.id', 'annotations.sensor_id')
      .selectAll('annotations')
      .select('sensors.name as sensor')
      .select(
        sql<string[]>`array(select name from annotation_usergroups join usergroups on usergroups.id = usergroup_id
          where annotation_id = annotations.id order by name)`.as('groups'),
      )
      .executeTakeFirst();
    if (row === undefined) continue;
    yield {
      ...{ title: row.title, description: row.description, annotationType: row.annotation_type, tags: row.tags },
      ...{ label: classificationOf(row.classification), marked: row.marked },
      ...{ audience: row.audience, usergroups: row.groups, restricted: row.edit_lock },
      ...{ startTime: row.start_time, endTime: row.end_time, type: 'FeatureCollection', features: row.features },
      ...{ created: row.creation_time, author: row.author },
      drawnOn:
        row.frame_time === null
          ? null
          : {
              ...{ sensor: row.sensor, time: row.frame_time },
              frame: frameIn(originals, { file: row.file_id, run: row.run, pts: row.pts }),
            },
    };
  }
}

/** The annotations of a mission of an archive, one by one. @throws AppError badArchive */
export const annotationsOf = (zip: Zip, mission: Pick<ArchivedMission, 'marks'>): AsyncGenerator<ArchivedAnnotation> =>
  marksIn(zip, mission, { kind: 'annotations', schema: archivedAnnotation, max: ANNOTATIONS_MAX });

export type CreateAnnotation = (
  actor: Actor,
  wanted: NewAnnotation,
  options: {
    id: string;
    made: { author_id: string | null; author: string; creation_time: number };
    mayHide: true;
    frame: StoredFrame | null;
  },
) => Promise<string>;

type Making = {
  taskId: string;
  actor: Actor;
  mission: MissionFacts;
  archived: Pick<ArchivedMission, 'sensors'>;
  annotations: AsyncIterable<ArchivedAnnotation>;
  createAnnotation: CreateAnnotation;
};

/** Makes them, once however often it is tried. Answers how many the actor may not make. */
export async function makeAnnotations(db: Kysely<Database>, making: Making): Promise<number> {
  const { taskId, actor, mission } = making;
  const places = await placesFor(db, mission.id, making.archived.sensors);
  const rows = { table: 'annotations', kind: 'annotation', taskId, missionId: mission.id } as const;
  let refused = 0;
  for await (const { id, one } of notYetMade(db, making.annotations, rows)) {
    const { label, marked, created, author, drawnOn, ...fields } = one;
    const rights = await rightsWithin(db, actor, { mission, archived: { ...fields, label, marked } });
    const facts = { ...mission, ...rights, locked: true, authorId: actor.id };
    const restricted = fields.restricted && access.can(actor, 'annotation.lock', facts).allowed;
    const authorOf = await authorsNamed(db, [author]);
    const made = { ...authorOf(author), creation_time: created };
    const wanted = { ...fields, ...rights, restricted, missionId: mission.id, frame: null };
    const frame = drawnOn && storedFrame(taskId, drawnOn, places);
    try {
      await making.createAnnotation(actor, wanted, { id, made, mayHide: true, frame });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      refused += 1;
    }
  }
  return refused;
}

type Places = Awaited<ReturnType<typeof placesFor>>;

function storedFrame(
  taskId: string,
  { sensor, frame, time }: NonNullable<ArchivedAnnotation['drawnOn']>,
  { sensorIds, paths }: Places,
): StoredFrame {
  return {
    sensor_id: (sensor !== null && sensorIds.get(sensor)) || null,
    ...importedFrame(taskId, paths, frame),
    frame_time: time,
  };
}
