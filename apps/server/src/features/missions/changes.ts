import {
  type AccessFacts,
  type Actor,
  AppError,
  type ChangedMission,
  type Classification,
  classificationRank,
  type NewMission,
  type NewSensor,
} from '@osprey/contract';
import { type Kysely, sql, type Updateable } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { compareSharing, refuseSharing, refuseWidening, requestedFacts } from '../../base/access/sharing.ts';
import type { Database } from '../../base/db/schema.ts';
import { isFreeOfCases, refuseOnHold } from '../../base/items/case-hold.ts';
import { shareOnlyWith, shareWith } from '../../base/items/shared-with.ts';
import { visibleInBin } from '../../base/items/visibility.ts';
import { EMPTY_SENSOR } from '../../media/ingest/empty-sensor.ts';
import { exactlyOne, inBin, named } from './repository.ts';
import { factsOf, type MissionRow } from './rows.ts';

export type MissionChanges = ReturnType<typeof missionChanges>;

/** Change of a mission's rights by an update, for the audit and for notifying those who can no longer read it. */
export type Changed = {
  id: string;
  before: AccessFacts & { id: string };
  after: AccessFacts;
  reason: string | null;
  /** True if some accounts may have lost the right to read the mission. */
  narrowed: boolean;
};

export type CreateOptions = {
  sample?: boolean;
  /** Id chosen in advance, so that work resumed after a crash finds the mission that it created. */
  id?: string;
  creationTime?: number;
  /**
   * Allows an audience that excludes the creator of the mission, or everybody, as archives and watched folders need it.
   */
  mayHide?: boolean;
};

export type MissionChangesDeps = {
  db: Kysely<Database>;
  nowUs: () => number;
  /** The highest label of this installation; items without a label are treated as having it. */
  systemHigh: Classification;
};

/** Functions that write missions on behalf of an actor. Each checks the rights in the same transaction as it writes. */
export function missionChanges({ db, nowUs, systemHigh }: MissionChangesDeps) {
  /**
   * Creates a mission. Names are unique only among the missions that the creator can see: refusing a name because of a
   * hidden mission would reveal that mission, so a unique index cannot be used.
   *
   * @throws AppError missionNameTaken, and the errors found by `shareProblem`
   */
  async function create(actor: Actor, requested: NewMission, options: CreateOptions = {}): Promise<string> {
    const facts: AccessFacts = {
      securityClassification: requested.securityClassification ?? systemHigh,
      audience: requested.audience,
      usergroups: requested.usergroups,
      draft: true,
    };
    authorize(actor, 'mission.create', facts);
    refuseTwice(requested.sensors);
    return db.transaction().execute(async (tx) => {
      await refuseSharing(tx, actor, facts).catch((error) => {
        if (!(options.mayHide && error instanceof AppError && error.code === 'hidesFromMaker')) throw error;
      });
      await claimName(tx, actor, requested.name);
      const { id } = await tx
        .insertInto('missions')
        .values({
          ...(options.id === undefined ? {} : { id: options.id }),
          ...plainColumns(requested),
          name: requested.name,
          classification: classificationRank(facts.securityClassification),
          marked: requested.securityClassification !== undefined,
          stream_mark: null,
          audience: requested.audience,
          author_id: actor.id,
          creation_time: options.creationTime ?? nowUs(),
          start_time: null,
          end_time: null,
          area_sq_km: null,
          area: null,
          place_lon: null,
          place_lat: null,
          thumbnail: null,
          sample: options.sample ?? false,
          message: null,
          deleted_time: null,
          deleted_by: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await shareWith(tx, 'mission', { id, usergroups: requested.usergroups });
      await addSensors(tx, { missionId: id, sensors: requested.sensors, firstPosition: 0 });
      return id;
    });
  }

  /** @throws AppError notFound, forbidden, revisionConflict, reasonNeeded, and the errors found by `shareProblem` */
  async function update(actor: Actor, change: ChangedMission): Promise<Changed> {
    return db.transaction().execute(async (tx) => {
      const found = await exactlyOne(tx, actor, change._id ?? change.name);
      const { revision } = await asSystem(tx, 'authorized change')
        .selectFrom('missions')
        .select('revision')
        .where('id', '=', found.id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      // Read again under the lock, since the row may have changed between the first read and the lock.
      const row = await exactlyOne(tx, actor, found.id);
      const before = factsOf(row);
      authorize(actor, 'mission.update', before);
      if (change.revision !== undefined && change.revision !== revision) throw new AppError('revisionConflict');

      const after = requestedFacts(before, change);
      const sharing = compareSharing(before, after);
      if (sharing.changes) {
        await refuseSharing(tx, actor, after, before.usergroups);
        if (sharing.widened) refuseWidening(actor, 'mission.lower', before, change.reason);
      }
      await writeChange(tx, row, { change, after });
      return { id: row.id, before, after, reason: change.reason ?? null, narrowed: sharing.narrowed };
    });
  }

  /** Moves missions into the bin, all of them or none. Returns the rows as they were before. */
  async function remove(actor: Actor, refs: readonly string[]): Promise<MissionRow[]> {
    return db.transaction().execute(async (tx) => {
      const rows: MissionRow[] = [];
      for (const ref of new Set(refs)) rows.push(await exactlyOne(tx, actor, ref));
      for (const row of rows) authorize(actor, 'mission.delete', factsOf(row));
      await refuseOnHold(tx, actor, 'mission_id', rows);
      const moved = await bin(tx, rows, actor.id);
      const held = rows.find(({ id }) => !moved.has(id));
      if (held !== undefined) throw new AppError('missionHeld', { name: held.name });
      return rows;
    });
  }

  /**
   * Moves missions into the bin and returns their ids. Missions on hold are skipped, including those put on hold since
   * the check.
   */
  async function bin(tx: Db, rows: readonly MissionRow[], by: string): Promise<Set<string>> {
    const ids = rows.map((row) => row.id);
    if (ids.length === 0) return new Set();
    const moved = await asSystem(tx, 'authorized change')
      .updateTable('missions')
      .set({ deleted_time: nowUs(), deleted_by: by, revision: sql`revision + 1` })
      .where('id', 'in', ids)
      .where('hold_reason', 'is', null)
      .where(isFreeOfCases('mission_id', 'missions.id'))
      .returning('id')
      .execute();
    return new Set(moved.map(({ id }) => id));
  }

  /**
   * Restores missions from the bin, with their label and audience. A groupAdmin can restore only missions that they
   * deleted themselves.
   */
  async function restore(actor: Actor, ids: readonly string[]): Promise<MissionRow[]> {
    return db.transaction().execute(async (tx) => {
      const own = actor.role === 'groupAdmin' ? await deletedBy(tx, actor) : null;
      const rows = (await inBin(tx, actor, ids)).filter(({ id }) => own === null || own.has(id));
      if (rows.length < new Set(ids).size) throw new AppError('notFound');
      for (const row of rows) authorize(actor, 'mission.delete', factsOf(row));
      await asSystem(tx, 'authorized change')
        .updateTable('missions')
        .set({ deleted_time: null, deleted_by: null, revision: sql`revision + 1` })
        .where('id', 'in', [...ids])
        .execute();
      return rows;
    });
  }

  /**
   * Puts a mission on hold so that it cannot be deleted; a null reason ends the hold. @throws AppError notFound,
   * forbidden
   */
  async function hold(actor: Actor, ref: string, reason: string | null): Promise<MissionRow> {
    return db.transaction().execute(async (tx) => {
      const row = await exactlyOne(tx, actor, ref);
      authorize(actor, 'mission.hold', factsOf(row));
      const held = {
        hold_reason: reason,
        hold_time: reason === null ? null : nowUs(),
        hold_by: reason === null ? null : actor.id,
      };
      await asSystem(tx, 'authorized change')
        .updateTable('missions')
        .set({ ...held, revision: sql`revision + 1` })
        .where('id', '=', row.id)
        .execute();
      return row;
    });
  }

  /** Deletes all sample missions that the actor may delete. */
  async function removeSamples(actor: Actor): Promise<MissionRow[]> {
    return db.transaction().execute(async (tx) => {
      const samples = await asSystem(tx, 'mission')
        .selectFrom('missions')
        .select('id')
        .where('sample', '=', true)
        .where('deleted_time', 'is', null)
        .where('hold_reason', 'is', null)
        .where(isFreeOfCases('mission_id', 'missions.id'))
        .execute();
      const rows: MissionRow[] = [];
      for (const { id } of samples) rows.push(...(await named(tx, actor, id)));
      for (const row of rows) authorize(actor, 'mission.delete', factsOf(row));
      const moved = await bin(tx, rows, actor.id);
      return rows.filter(({ id }) => moved.has(id));
    });
  }

  return { create, update, remove, restore, hold, removeSamples };
}

async function deletedBy(tx: Db, actor: Actor): Promise<Set<string>> {
  const rows = await visibleInBin(tx, actor).where('deleted_by', '=', actor.id).select('missions.id').execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Locks a mission name until commit, so that two transactions that create the same name run one after the other.
 *
 * @throws AppError missionNameTaken
 */
export async function claimName(tx: Db, actor: Actor, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
  const found = await named(tx, actor, name);
  if (found.some((row) => row.name === name)) throw new AppError('missionNameTaken', { name });
}

function plainColumns(requested: NewMission) {
  return {
    description: requested.description,
    country_code: requested.country_code,
    country_name: requested.country_name,
    rating: requested.rating,
    tags: requested.tags,
    platform_name: requested.platform.name,
    platform_type: requested.platform.type,
    platform_color: requested.platform.presentation.color,
    sort_order: requested.sortOrder,
  };
}

type Write = { change: ChangedMission; after: AccessFacts };

async function writeChange(tx: Db, row: MissionRow, { change, after }: Write): Promise<void> {
  const { description, rating, country_code, country_name, tags, sortOrder: sort_order, platform } = change;
  const requested = {
    ...{ description, rating, country_code, country_name, tags, sort_order },
    platform_name: platform?.name,
    platform_type: platform?.type,
    platform_color: platform?.presentation.color,
  };
  const given = Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== undefined));
  const set: Updateable<Database['missions']> = {
    ...given,
    classification: classificationRank(after.securityClassification),
    marked: row.marked || change.securityClassification !== undefined,
    audience: after.audience,
  };
  await asSystem(tx, 'authorized change')
    .updateTable('missions')
    .set(set)
    .set({ revision: sql`revision + 1` })
    .where('id', '=', row.id)
    .execute();
  if (change.usergroups !== undefined) {
    await shareOnlyWith(tx, 'mission', row, change.usergroups);
  }
  if (change.sensors !== undefined) await mergeSensors(tx, row.id, change.sensors);
}

/** @throws AppError sensorNameTaken */
function refuseTwice(sensors: readonly NewSensor[]): void {
  const names = sensors.map((sensor) => sensor.name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new AppError('sensorNameTaken', { name: duplicate });
}

/** Adds sensors with new names and changes descriptions of the others; removes none. */
async function mergeSensors(tx: Db, missionId: string, sensors: readonly NewSensor[]): Promise<void> {
  refuseTwice(sensors);
  const existing = await asSystem(tx, 'authorized change')
    .selectFrom('sensors')
    .select(['id', 'name'])
    .where('mission_id', '=', missionId)
    .execute();
  const isKnown = ({ name }: NewSensor) => existing.some((one) => one.name === name);
  for (const { name, description } of sensors.filter(isKnown)) {
    await asSystem(tx, 'authorized change')
      .updateTable('sensors')
      .set({ description })
      .where('mission_id', '=', missionId)
      .where('name', '=', name)
      .execute();
  }
  const added = sensors.filter((sensor) => !isKnown(sensor));
  await addSensors(tx, { missionId, sensors: added, firstPosition: existing.length });
}

type Adding = { missionId: string; sensors: readonly NewSensor[]; firstPosition: number };

async function addSensors(tx: Db, { missionId, sensors, firstPosition }: Adding): Promise<void> {
  if (sensors.length === 0) return;
  const { creation_time } = await asSystem(tx, 'authorized change')
    .selectFrom('missions')
    .select('creation_time')
    .where('id', '=', missionId)
    .executeTakeFirstOrThrow();
  const rows = sensors.map(({ name, description, type }, index) => ({
    mission_id: missionId,
    name,
    description,
    type,
    position: firstPosition + index,
    creation_time,
    ...EMPTY_SENSOR,
  }));
  await tx.insertInto('sensors').values(rows).execute();
}
