import { asSystem, type Db } from '../../base/access/visibility.ts';
import type { sensorAnchors } from '../../media/anchors/sensor-anchors.ts';
import { anchorOf, type BookmarkRow, type PlacedBookmark } from './rows.ts';

export type PlacesDeps = { db: Db; anchors: ReturnType<typeof sensorAnchors> };

/**
 * The time of a mark in a live stream came from the telemetry so far; the whole recording may date its picture a little
 * later. No picture is so short.
 */
const LIVE_CLOCK_US = 1000;

/** Where the frames of bookmarks are now. */
export function bookmarkPlaces({ db, anchors }: PlacesDeps) {
  /**
   * Derives the time of each row from its frame, and keeps it in the row for when the frame is gone. Marks from before
   * their recording was read get their frame now, if there is one.
   */
  async function place(rows: readonly BookmarkRow[]): Promise<PlacedBookmark[]> {
    const bySensor = Map.groupBy(rows, ({ sensor_id }) => sensor_id);
    const placed = await Promise.all([...bySensor].map(([sensorId, own]) => placeAll(sensorId, own)));
    return placed.flat();
  }

  async function placeAll(sensorId: string | null, rows: readonly BookmarkRow[]): Promise<PlacedBookmark[]> {
    if (sensorId === null) return rows.map((row) => ({ ...row, state: 'gone' }));
    const anchored: BookmarkRow[] = [];
    for (const row of rows) anchored.push(anchorOf(row) === null ? await withAnchor(sensorId, row) : row);
    const known = anchored.flatMap((row) => anchorOf(row) ?? []);
    const times = known.length > 0 ? await anchors.times(sensorId, known) : [];
    const placed: PlacedBookmark[] = [];
    let at = 0;
    for (const row of anchored) {
      if (anchorOf(row) === null) {
        placed.push({ ...row, state: row.index_key === null ? 'waiting' : 'gone' });
        continue;
      }
      const time = times[at++] ?? null;
      if (time !== null && time !== row.last_time) await keep(row.id, { last_time: time });
      placed.push({ ...row, last_time: time ?? row.last_time, state: time === null ? 'gone' : 'shown' });
    }
    return placed;
  }

  async function withAnchor(sensorId: string, row: BookmarkRow): Promise<BookmarkRow> {
    const anchor = row.index_key === null ? null : await anchors.at(sensorId, row.last_time + LIVE_CLOCK_US);
    if (anchor === null) return row;
    const found = { file_id: anchor.fileId, run: anchor.run, pts: anchor.pts };
    await keep(row.id, found);
    return { ...row, ...found };
  }

  async function keep(id: string, fields: Partial<Pick<BookmarkRow, 'last_time' | 'file_id' | 'run' | 'pts'>>) {
    await asSystem(db, 'media').updateTable('bookmarks').set(fields).where('id', '=', id).execute();
  }

  return place;
}

/** Every row with what is needed of its sensor. */
export const selectBookmarks = (db: Db) =>
  asSystem(db, 'media')
    .selectFrom('bookmarks')
    .leftJoin('sensors', 'sensors.id', 'bookmarks.sensor_id')
    .selectAll('bookmarks')
    .select(['sensors.name as sensor_name', 'sensors.index_key', 'sensors.time_shift']);
