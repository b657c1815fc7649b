import {
  type Actor,
  AppError,
  BIN_DAYS,
  BIN_LISTED_MAX,
  type BinnedMission,
  type Classification,
  classificationOf,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { isFreeOfCases, refuseOnHold, withHolds } from '../../base/items/case-hold.ts';
import { groupsOfMission } from '../../base/items/missions.ts';
import { visibleInBin } from '../../base/items/visibility.ts';
import { filesOf } from '../../base/storage/originals.ts';
import { inBin } from './repository.ts';
import type { MissionRow } from './rows.ts';

const DAY_US = 24 * 3_600_000_000;
export const BIN_US = BIN_DAYS * DAY_US;
/** Number of missions that one transaction deletes. */
const BATCH = 100;

/** The bin: deleted missions that can still be restored. */
export function missionBin({ db, nowUs }: { db: Kysely<Database>; nowUs: () => number }) {
  async function list(actor: Actor): Promise<BinnedMission[]> {
    const names = sql<string[]>`array(
      select held.name from mission_usergroups link join usergroups held on held.id = link.usergroup_id
      where link.mission_id = missions.id order by held.name)`;
    const sizes = sql<number>`coalesce((
      select sum(file.size_bytes) from files file join sensors own on own.id = file.sensor_id
      where own.mission_id = missions.id), 0)::bigint`;
    const rows = await visibleInBin(db, actor)
      .leftJoin('users', 'users.id', 'missions.deleted_by')
      .select(['missions.id', 'missions.name', 'missions.classification', 'missions.marked', 'missions.audience'])
      .select(['missions.deleted_time', 'users.username'])
      .select([names.as('usergroups'), sizes.as('size_bytes')])
      .select(sql<number>`(select count(*) from sensors own where own.mission_id = missions.id)`.as('sensors'))
      .orderBy('missions.deleted_time', 'desc')
      .orderBy('missions.id')
      .limit(BIN_LISTED_MAX)
      .execute();
    const binned = rows.map((row) => ({
      _id: row.id,
      name: row.name,
      securityClassification: classificationOf(row.classification),
      marked: row.marked,
      audience: row.audience,
      usergroups: row.usergroups,
      sensors: row.sensors,
      sizeBytes: row.size_bytes,
      deletedTime: row.deleted_time ?? 0,
      deletedBy: row.username,
      endTime: (row.deleted_time ?? 0) + BIN_US,
    }));
    return withHolds(db, actor, 'mission_id', binned);
  }

  /**
   * Deletes missions permanently. If no ids are given, deletes all in the bin except those on hold. Returns the rows as
   * they were before.
   *
   * @throws AppError notFound if a given mission is not in the bin, or hidden; caseHeld
   */
  async function empty(actor: Actor, named: readonly string[] | undefined): Promise<MissionRow[]> {
    const ids = [...new Set(named ?? (await list(actor)).map(({ _id }) => _id))];
    if (ids.length === 0) return [];
    return db.transaction().execute(async (tx) => {
      const rows = await inBin(tx, actor, ids);
      if (named !== undefined && rows.length < ids.length) throw new AppError('notFound');
      if (named !== undefined) await refuseOnHold(tx, actor, 'mission_id', rows);
      const free = await lockFree(tx, ids);
      await removeForGood(tx, [...free], nowUs());
      return rows.filter(({ id }) => free.has(id));
    });
  }

  type Removed = { id: string; classification: number; usergroups: readonly string[] };

  /**
   * Permanently deletes missions that have been in the bin for 30 days. Returns ids, labels and usergroups, for the
   * audit.
   */
  async function removeOld(): Promise<Removed[]> {
    const removed: Removed[] = [];
    for (;;) {
      const batch = await db.transaction().execute(async (tx) => {
        const old = await asSystem(tx, 'bin')
          .selectFrom('missions')
          .select(['id', 'classification', groupsOfMission.as('usergroups')])
          .where('deleted_time', '<', nowUs() - BIN_US)
          .where('hold_reason', 'is', null)
          .where(isFreeOfCases('mission_id', 'missions.id'))
          .orderBy('deleted_time')
          .limit(BATCH)
          .forUpdate()
          .skipLocked()
          .execute();
        await removeForGood(
          tx,
          old.map(({ id }) => id),
          nowUs(),
        );
        return old;
      });
      removed.push(...batch);
      if (batch.length < BATCH) return removed;
    }
  }

  return { list, empty, removeOld };
}

/**
 * Locks those missions that are in the bin and not on hold, since a mission may have been restored or put on hold after
 * it was read.
 */
async function lockFree(tx: Db, ids: readonly string[]): Promise<Set<string>> {
  const free = await asSystem(tx, 'bin')
    .selectFrom('missions')
    .select('id')
    .where('id', 'in', [...ids])
    .where('deleted_time', 'is not', null)
    .where('hold_reason', 'is', null)
    .where(isFreeOfCases('mission_id', 'missions.id'))
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Set(free.map(({ id }) => id));
}

/**
 * Moves a mission into the bin in the name of the server. Returns its label; null if the mission is already in the bin
 * or has been put on hold meanwhile.
 */
export async function retireMission(db: Db, id: string, nowUs: number): Promise<Classification | null> {
  const moved = await asSystem(db, 'retention')
    .updateTable('missions')
    .set({ deleted_time: nowUs, deleted_by: null, revision: sql`revision + 1` })
    .where('id', '=', id)
    .where('deleted_time', 'is', null)
    .where('hold_reason', 'is', null)
    .where(isFreeOfCases('mission_id', 'missions.id'))
    .returning('classification')
    .executeTakeFirst();
  return moved === undefined ? null : classificationOf(moved.classification);
}

/**
 * Deletes the rows and notes their folders for removal in the same transaction, so that a crash leaves no files behind.
 */
async function removeForGood(tx: Db, ids: readonly string[], since: number): Promise<void> {
  if (ids.length === 0) return;
  const sensors = await asSystem(tx, 'bin')
    .selectFrom('sensors')
    .select('id')
    .where('mission_id', 'in', [...ids])
    .execute();
  const folders = [...ids.map((id) => `pictures/${id}`), ...sensors.flatMap(({ id }) => filesOf(id))];
  await tx
    .insertInto('doomed_folders')
    .values(folders.map((folder) => ({ folder, since })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await asSystem(tx, 'bin')
    .deleteFrom('missions')
    .where('id', 'in', [...ids])
    .execute();
}
