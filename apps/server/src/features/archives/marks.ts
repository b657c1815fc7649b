import { BOOKMARKS_MAX, bookmarkFields, micros, sensorName } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Zip } from '../../media/formats/zip.ts';
import { idFor } from './import-plan.ts';
import type { ArchivedMission, ArchivedSensor } from './manifest.ts';
import { authorsNamed, importedFrame, placesFor, readMarks } from './mark-files.ts';

/** One bookmark in `bookmarks.json`. Its frame is named by the path of the original in the archive. */
const archivedBookmark = bookmarkFields.extend({
  sensor: sensorName.nullable(),
  original: z.string().max(255).nullable(),
  run: z.int().min(0).max(1_000_000).nullable(),
  pts: z
    .int()
    .min(-(2 ** 50))
    .max(2 ** 50)
    .nullable(),
  /** UTC of its frame when the archive was made; where the frame is not found, its time. */
  time: micros,
  created: micros,
  author: z.string().max(256),
  editor: z.string().max(256),
});
type ArchivedBookmark = z.output<typeof archivedBookmark>;

/** Bookmarks of a mission as its archive holds them. `originals`: paths by the ids of files. */
export async function archivedBookmarks(
  db: Kysely<Database>,
  missionId: string,
  originals: ReadonlyMap<string, string>,
): Promise<ArchivedBookmark[]> {
  const rows = await asSystem(db, 'export')
    .selectFrom('bookmarks')
    .leftJoin('sensors', 'sensors.id', 'bookmarks.sensor_id')
    .selectAll('bookmarks')
    .select('sensors.name as sensor')
    .where('bookmarks.mission_id', '=', missionId)
    .where('bookmarks.deleted_time', 'is', null)
    .orderBy('bookmarks.last_time')
    .orderBy('bookmarks.id')
    .execute();
  return rows.map((row): ArchivedBookmark => {
    const original = (row.file_id !== null && originals.get(row.file_id)) || null;
    const { title, text, color, tags, created, author, editor, sensor } = row;
    const place = original === null ? { run: null, pts: null } : { run: row.run, pts: row.pts };
    return { title, text, color, tags, sensor, original, ...place, time: row.last_time, created, author, editor };
  });
}

/** Reads the bookmarks of one mission in an archive. @throws AppError badArchive */
export const readBookmarks = (zip: Zip, mission: Pick<ArchivedMission, 'marks'>): Promise<ArchivedBookmark[]> =>
  readMarks(zip, mission, { kind: 'bookmarks', schema: archivedBookmark, max: BOOKMARKS_MAX });

type Making = {
  taskId: string;
  missionId: string;
  bookmarks: readonly ArchivedBookmark[];
  sensors: readonly ArchivedSensor[];
};

/**
 * Makes the rows, once for any number of tries. Authors are found by their user names; a bookmark of an unknown author
 * has none, and is changed by accounts that manage the mission.
 */
export async function makeBookmarks(db: Kysely<Database>, making: Making): Promise<void> {
  const { taskId, missionId, bookmarks, sensors } = making;
  if (bookmarks.length === 0) return;
  const { sensorIds, paths } = await placesFor(db, missionId, sensors);
  const names = bookmarks.flatMap(({ author, editor }) => [author, editor]);
  const authorOf = await authorsNamed(db, names);
  const values = bookmarks.map((one, index) => ({
    id: idFor(taskId, `bookmark/${missionId}/${index}`),
    mission_id: missionId,
    sensor_id: (one.sensor !== null && sensorIds.get(one.sensor)) || null,
    ...importedFrame(taskId, paths, one),
    last_time: one.time,
    title: one.title,
    text: one.text,
    color: one.color,
    tags: one.tags,
    thumbnail: null,
    ...authorOf(one.author),
    editor: authorOf(one.editor).author,
    created: one.created,
  }));
  const STEP = 500;
  for (let at = 0; at < values.length; at += STEP) {
    await asSystem(db, 'import')
      .insertInto('bookmarks')
      .values(values.slice(at, at + STEP))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}
