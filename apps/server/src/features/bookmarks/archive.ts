import { BOOKMARKS_MAX, bookmarkFields, micros, sensorName } from '@osprey/contract';
import { z } from 'zod';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorsNamed } from '../../base/items/archived.ts';
import type { ArchivedContent, ArchiveWriting } from '../../base/items/content.ts';
import { nameOfSensor } from '../../base/items/sensors.ts';

/** Maximum number of rows in one statement. */
const STEP = 500;

/** One bookmark in `bookmarks-1.json`. Its frame is named by the path of the original in the archive. */
const archivedBookmark = bookmarkFields.extend({
  sensor: sensorName.nullable(),
  original: z.string().max(255).nullable(),
  run: z.int().min(0).max(1_000_000).nullable(),
  pts: z
    .int()
    .min(-(2 ** 50))
    .max(2 ** 50)
    .nullable(),
  /** UTC of its frame when the archive was made; the bookmark's time if the frame was not found. */
  time: micros,
  created: micros,
  author: z.string().max(256),
  editor: z.string().max(256),
});
type ArchivedBookmark = z.output<typeof archivedBookmark>;

/**
 * Exports and imports the bookmarks of a mission. Authors are matched by user name; a bookmark whose author is unknown
 * has none, and may be changed by accounts that manage the mission.
 */
export const bookmarkArchive = (db: Db): ArchivedContent => ({
  name: 'bookmarks',
  max: BOOKMARKS_MAX,
  plan: async () => ({ listed: [], sizes: [], lists: 1 }),

  async *write(writing) {
    for (const one of await archiveBookmarks(db, writing)) yield { one };
  },

  async check({ list }) {
    for await (const _one of list(archivedBookmark));
    return 0;
  },

  async make({ list, mission, idOf, sensorIds, frameOf }) {
    const bookmarks: ArchivedBookmark[] = [];
    for await (const one of list(archivedBookmark)) bookmarks.push(one);
    if (bookmarks.length === 0) return 0;
    const authorOf = await authorsNamed(
      db,
      bookmarks.flatMap(({ author, editor }) => [author, editor]),
    );
    const values = bookmarks.map((one, index) => ({
      ...{ id: idOf(index), mission_id: mission.id },
      sensor_id: (one.sensor !== null && sensorIds.get(one.sensor)) || null,
      ...frameOf(one),
      ...{ last_time: one.time, title: one.title, text: one.text, color: one.color, tags: one.tags },
      thumbnail: null,
      ...authorOf(one.author),
      ...{ editor: authorOf(one.editor).author, created: one.created },
    }));
    for (let at = 0; at < values.length; at += STEP) {
      await asSystem(db, 'import')
        .insertInto('bookmarks')
        .values(values.slice(at, at + STEP))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    }
    return 0;
  },
});

async function archiveBookmarks(db: Db, { missionId, originals }: ArchiveWriting): Promise<ArchivedBookmark[]> {
  const rows = await asSystem(db, 'export')
    .selectFrom('bookmarks')
    .selectAll('bookmarks')
    .select(nameOfSensor('bookmarks.sensor_id').as('sensor'))
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
