import { type Actor, AppError, access, type Bookmark } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { isFreeOfCases } from '../../base/items/case-hold.ts';
import { sensorColumns } from '../../base/items/sensors.ts';
import { visible } from '../../base/items/visibility.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { pictureName, readPictureList } from '../../media/index/picture-files.ts';
import { bookmarkPlaces, type PlacesDeps, selectBookmarks } from './places.ts';
import { type BookmarkRow, factsOfMark, type MarkedMission, type PlacedBookmark, toBookmark } from './rows.ts';

export type BookmarkRepository = ReturnType<typeof bookmarkRepository>;

/** All reading of bookmarks for an actor. */
export function bookmarkRepository({ db, storage, anchors }: PlacesDeps & { storage: Storage }) {
  const place = bookmarkPlaces({ db, anchors });

  /** Bookmarks of a mission that the actor may read, by time. */
  async function ofMission(actor: Actor, mission: MarkedMission): Promise<Bookmark[]> {
    const rows = await rowsOf(db, actor, mission.id);
    return answersFor(actor, mission, await place(rows));
  }

  /** Reads one bookmark of a mission. @throws AppError notFound */
  async function one(actor: Actor, mission: MarkedMission, id: string): Promise<Bookmark> {
    const rows = (await rowsOf(db, actor, mission.id)).filter((row) => row.id === id);
    const [bookmark] = await answersFor(actor, mission, await place(rows));
    if (bookmark === undefined) throw new AppError('notFound');
    return bookmark;
  }

  async function answersFor(
    actor: Actor,
    mission: MarkedMission,
    rows: readonly PlacedBookmark[],
  ): Promise<Bookmark[]> {
    const pictureBefore = await picturesOf(mission.id, rows);
    return rows
      .toSorted((a, b) => a.last_time - b.last_time || (a.id < b.id ? -1 : 1))
      .map((row) => {
        const name = row.thumbnail ?? pictureBefore(row);
        return toBookmark(row, {
          mission,
          editable: access.can(actor, 'bookmark.update', factsOfMark(mission, row)).allowed,
          thumbnailUrl: name === null ? null : `/videos/${mission.id}/${name}`,
        });
      });
  }

  /**
   * Returns for each bookmark the last picture along its sensor that was taken at or before it, or the first picture if
   * there is no earlier one.
   */
  async function picturesOf(missionId: string, rows: readonly BookmarkRow[]) {
    const sensors = [...new Set(rows.flatMap(({ sensor_id }) => sensor_id ?? []))];
    const lists = new Map(
      await Promise.all(
        sensors.map(async (id) => [id, (await readPictureList(storage, missionId, id)).pictures] as const),
      ),
    );
    return ({ sensor_id, last_time, time_shift }: BookmarkRow): string | null => {
      const pictures = (sensor_id !== null && lists.get(sensor_id)) || [];
      const ownUs = last_time - (time_shift ?? 0);
      const found = pictures.findLast(({ timeUs }) => timeUs <= ownUs) ?? pictures[0];
      return found && sensor_id !== null ? pictureName(sensor_id, found.n) : null;
    };
  }

  /**
   * Updates the stored times of a sensor's bookmarks. Call it before a file of the sensor is removed, so that the
   * bookmarks keep their current times.
   */
  async function keepTimes(sensorId: string): Promise<void> {
    await place(await selectBookmarks(db).where('bookmarks.sensor_id', '=', sensorId).execute());
  }

  return { ofMission, one, keepTimes };
}

/** Reads the bookmarks of a mission that the actor may read, except deleted ones. */
function rowsOf(db: Db, actor: Actor, missionId: string): Promise<BookmarkRow[]> {
  return visible(db, actor)
    .innerJoin('bookmarks', 'bookmarks.mission_id', 'missions.id')
    .where('missions.id', '=', missionId)
    .where('bookmarks.deleted_time', 'is', null)
    .selectAll('bookmarks')
    .select(sensorColumns('bookmarks.sensor_id'))
    .execute();
}

/** Permanently deletes bookmarks that were deleted before the given time; until then they can be restored. */
export async function sweepBookmarks(db: Db, beforeUs: number): Promise<void> {
  await asSystem(db, 'sweep')
    .deleteFrom('bookmarks')
    .where('deleted_time', '<', beforeUs)
    .where(isFreeOfCases('subject_id', 'bookmarks.id'))
    .execute();
}
