import { type Actor, AppError, type Mission, type MissionFilter } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { withHolds } from '../../base/items/case-hold.ts';
import { formerlyNamed, refuseOldName } from '../../base/items/old-names.ts';
import { visible, visibleInBin } from '../../base/items/visibility.ts';
import { conditions } from './filter.ts';
import { type MissionRow, selectMission, selectShown, toMissions, type Viewer } from './rows.ts';
import { cutPage, isAfter, NEWEST_FIRST, readCursor, type SortKey, sortBy } from './sort.ts';

export type MissionRepository = ReturnType<typeof missionRepository>;

/** Number of rows per query while the whole list is streamed. */
const STREAM_ROWS = 500;

type Page = { rows: Mission[]; next: string | null };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads missions on behalf of an actor. Rows are returned in the API format. */
export function missionRepository({ db }: { db: Db }) {
  /**
   * Returns one page, the cursor of the next page (null after the last), and the total number if `count` is requested
   * (else null).
   */
  async function page(viewer: Viewer, filter: MissionFilter): Promise<Page & { count: number | null }> {
    const where = conditions(filter);
    const [found, count] = await Promise.all([
      pageOf(viewer, filter, where),
      filter.count ? countOf(viewer.actor, where) : null,
    ]);
    return { ...found, count };
  }

  async function pageOf(viewer: Viewer, filter: MissionFilter, where: RawBuilder<boolean>[]): Promise<Page> {
    const sort: SortKey = filter.sort ?? NEWEST_FIRST;
    const { actor } = viewer;
    const { value, order } = sortBy(sort);
    const limit = filter.limit ?? STREAM_ROWS;
    let query = selectShown(visible(db, actor))
      .select(value.as('sorted_by'))
      .orderBy(order)
      .limit(limit + 1);
    for (const condition of where) query = query.where(condition);
    if (filter.after !== undefined) query = query.where(isAfter(readCursor(filter.after, sort)));
    const { rows, next } = cutPage(await query.execute(), { sort, limit });
    return { rows: await withHolds(db, actor, 'mission_id', toMissions(rows, viewer)), next };
  }

  /** Yields all missions that match the filter, in batches of some hundred rows. */
  async function* all(viewer: Viewer, filter: MissionFilter): AsyncGenerator<Mission[]> {
    const where = conditions(filter);
    let after = filter.after;
    for (;;) {
      const { rows, next } = await pageOf(viewer, { ...filter, after, limit: STREAM_ROWS }, where);
      yield rows;
      if (next === null) return;
      after = next;
    }
  }

  async function countOf(actor: Actor, where: RawBuilder<boolean>[]): Promise<number> {
    let query = visible(db, actor).select(sql<number>`count(*)`.as('count'));
    for (const condition of where) query = query.where(condition);
    return (await query.executeTakeFirstOrThrow()).count;
  }

  /**
   * Returns the mission with this id or name, or else the one that formerly had the name. If several have the name,
   * returns the newest. @throws AppError notFound
   */
  async function read(actor: Actor, idOrName: string): Promise<MissionRow> {
    const [newest] = await named(db, actor, idOrName);
    if (newest) return newest;
    const former = await formerlyNamed(db, actor, idOrName);
    const [renamed] = former === null ? [] : await named(db, actor, former);
    if (!renamed) throw new AppError('notFound');
    return renamed;
  }

  /** Returns one mission in the API format, by its id. @throws AppError notFound */
  async function shown(viewer: Viewer, id: string): Promise<Mission> {
    const rows = await selectShown(visible(db, viewer.actor)).where('missions.id', '=', id).execute();
    const [mission] = await withHolds(db, viewer.actor, 'mission_id', toMissions(rows, viewer));
    if (mission === undefined) throw new AppError('notFound');
    return mission;
  }

  /** Returns the area seen by the mission's sensors as a GeoJSON MultiPolygon; null until it is known. */
  async function area(actor: Actor, id: string): Promise<unknown> {
    const row = await visible(db, actor).select('missions.area').where('missions.id', '=', id).executeTakeFirst();
    return row?.area ?? null;
  }

  return { page, all, read, shown, area };
}

/** Returns the visible missions with this id or name, newest first. */
export async function named(db: Db, actor: Actor, idOrName: string): Promise<MissionRow[]> {
  const query = selectMission(visible(db, actor));
  if (UUID.test(idOrName)) {
    const byId = await query.where('missions.id', '=', idOrName).execute();
    if (byId.length > 0) return byId;
  }
  return query
    .where('missions.name', '=', idOrName)
    .orderBy('missions.creation_time', 'desc')
    .orderBy('missions.id')
    .execute();
}

/**
 * Returns the only visible mission with this id or name, for a change; refuses a name that several missions have.
 *
 * @throws AppError notFound, missionNameAmbiguous, missionRenamed
 */
export async function exactlyOne(db: Db, actor: Actor, idOrName: string): Promise<MissionRow> {
  const found = await named(db, actor, idOrName);
  if (found.length > 1) throw new AppError('missionNameAmbiguous', { name: idOrName });
  if (found[0]) return found[0];
  await refuseOldName(db, actor, idOrName);
  throw new AppError('notFound');
}

/** Returns missions in the bin by id, leaving out those that the actor may not read. */
export function inBin(db: Db, actor: Actor, ids: readonly string[]): Promise<MissionRow[]> {
  return selectMission(visibleInBin(db, actor))
    .where('missions.id', 'in', [...ids])
    .execute();
}
