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

/** Rows that one query brings while the whole list is streamed. */
const STREAM_ROWS = 500;

type Page = { rows: Mission[]; next: string | null };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** All reading of missions for an actor. Rows come out in the contract's shape. */
export function missionRepository({ db }: { db: Db }) {
  /** One page, the cursor of the next, and with `count` how many there are; null where there is none. */
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

  /** Every mission that the filter leaves, some hundred at a time. */
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

  /** The mission of this id or name, of several with the name the newest; or the one that had it. @throws AppError notFound */
  async function read(actor: Actor, idOrName: string): Promise<MissionRow> {
    const [newest] = await named(db, actor, idOrName);
    if (newest) return newest;
    const former = await formerlyNamed(db, actor, idOrName);
    const [renamed] = former === null ? [] : await named(db, actor, former);
    if (!renamed) throw new AppError('notFound');
    return renamed;
  }

  /** One mission in the contract's shape, by its id. @throws AppError notFound */
  async function shown(viewer: Viewer, id: string): Promise<Mission> {
    const rows = await selectShown(visible(db, viewer.actor)).where('missions.id', '=', id).execute();
    const [mission] = await withHolds(db, viewer.actor, 'mission_id', toMissions(rows, viewer));
    if (mission === undefined) throw new AppError('notFound');
    return mission;
  }

  /** GeoJSON MultiPolygon of what its sensors saw; null before it is known. */
  async function area(actor: Actor, id: string): Promise<unknown> {
    const row = await visible(db, actor).select('missions.area').where('missions.id', '=', id).executeTakeFirst();
    return row?.area ?? null;
  }

  return { page, all, read, shown, area };
}

/** Visible missions of this id or name, newest first. */
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
 * The one visible mission of this id or name, for a change; refuses a name of several missions.
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

/** Missions in the bin by id, without those that the actor could not read. */
export function inBin(db: Db, actor: Actor, ids: readonly string[]): Promise<MissionRow[]> {
  return selectMission(visibleInBin(db, actor))
    .where('missions.id', 'in', [...ids])
    .execute();
}
