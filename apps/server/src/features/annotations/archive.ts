import {
  AppError,
  access,
  classificationOf,
  isAnnotationSpan,
  micros,
  newAnnotation,
  sensorName,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { archivedFrame, archivedRights, authorsNamed, frameIn, rightsWithin } from '../../base/items/archived.ts';
import type { ArchivedContent, ArchiveMaking, ArchiveWriting } from '../../base/items/content.ts';
import { nameOfSensor } from '../../base/items/sensors.ts';
import { visibleAnnotations } from '../../base/items/visibility.ts';
import type { StoredFrame } from '../../media/anchors/frame-places.ts';
import type { AnnotationChanges } from './changes.ts';

/** Minimum number of entries in each file of a list. */
const IN_LIST = 2;

/** One annotation in `annotations-1.json` and the files after it. */
const archivedAnnotation = newAnnotation
  .omit({ securityClassification: true, usergroups: true, missionId: true, frame: true })
  .extend({
    ...archivedRights,
    created: micros,
    author: z.string().max(256),
    /** Frame of the video on which it was drawn. `time` is the frame's time when the archive was made. */
    drawnOn: z
      .strictObject({ sensor: sensorName.nullable(), frame: archivedFrame.nullable(), time: micros })
      .nullable()
      .default(null),
  })
  .refine(isAnnotationSpan);
type ArchivedAnnotation = z.output<typeof archivedAnnotation>;

type Deps = { db: Kysely<Database>; create: AnnotationChanges['create'] };

/** Writes and reads annotations in the archive of a mission, within the rights of the actor. */
export const annotationArchive = ({ db, create }: Deps): ArchivedContent => ({
  name: 'annotations',
  max: 100_000,

  async plan(actor, missionId) {
    const listed = await visibleAnnotations(db, actor)
      .where('annotations.mission_id', '=', missionId)
      .select(['annotations.id', 'annotations.classification'])
      .orderBy('annotations.creation_time')
      .orderBy('annotations.id')
      .execute();
    return { listed, sizes: [], lists: Math.ceil(listed.length / IN_LIST) };
  },

  async *write(writing) {
    for (const id of writing.ids) {
      const one = await archiveAnnotations(db, writing, id);
      if (one !== null) yield { one };
    }
  },

  async check({ list }) {
    for await (const _one of list(archivedAnnotation));
    return 0;
  },

  async make(making) {
    const { list, actor, mission, idOf } = making;
    let [index, refused] = [0, 0];
    for await (const one of list(archivedAnnotation)) {
      const id = idOf(index);
      index += 1;
      const isMade = await asSystem(db, 'import')
        .selectFrom('annotations')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (isMade !== undefined) continue;
      const { label, marked, created, author, drawnOn, ...fields } = one;
      const rights = await rightsWithin(db, actor, { mission, archived: { ...fields, label, marked } });
      const facts = { ...mission, ...rights, locked: true, authorId: actor.id };
      const restricted = fields.restricted && access.can(actor, 'annotation.lock', facts).allowed;
      const authorOf = await authorsNamed(db, [author]);
      const made = { ...authorOf(author), creation_time: created };
      const requested = { ...fields, ...rights, restricted, missionId: mission.id, frame: null };
      const frame = drawnOn && storedFrame(drawnOn, making);
      try {
        await create(actor, requested, { id, made, mayHide: true, frame });
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        refused += 1;
      }
    }
    return refused;
  },
});

const storedFrame = (
  { sensor, frame, time }: NonNullable<ArchivedAnnotation['drawnOn']>,
  { sensorIds, frameOf }: ArchiveMaking,
): StoredFrame => ({
  sensor_id: (sensor !== null && sensorIds.get(sensor)) || null,
  ...frameOf(frame),
  frame_time: time,
});

/**
 * Returns an annotation as an archive entry. Null if it was deleted meanwhile or now has a label above the archive's.
 */
async function archiveAnnotations(
  db: Kysely<Database>,
  { actor, rank, originals }: ArchiveWriting,
  id: string,
): Promise<object | null> {
  const row = await visibleAnnotations(db, actor)
    .where('annotations.id', '=', id)
    .where('annotations.classification', '<=', rank)
    .selectAll('annotations')
    .select(nameOfSensor('annotations.sensor_id').as('sensor'))
    .select(
      sql<string[]>`array(select name from annotation_usergroups join usergroups on usergroups.id = usergroup_id
        where annotation_id = annotations.id order by name)`.as('groups'),
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
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
