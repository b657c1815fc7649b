import { type RawBuilder, sql } from 'kysely';
import { asSystem, type Db, type SystemReason } from '../access/as-system.ts';

/** Whether a mission has a row, in the bin or not. */
export async function missionIsThere(db: Db, reason: SystemReason, id: string): Promise<boolean> {
  const row = await asSystem(db, reason).selectFrom('missions').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Locks a mission and its sharing against changes until the transaction ends. */
export async function keepMission(tx: Db, reason: SystemReason, id: string): Promise<void> {
  await asSystem(tx, reason).selectFrom('missions').select('id').where('id', '=', id).forShare().execute();
}

/** Query for the ids of missions that are not being recorded. */
export const missionsAtRest = (db: Db, reason: SystemReason) =>
  asSystem(db, reason).selectFrom('missions').where('missions.state', '<>', 'Running').select('missions.id');

/** Whether the mission with this id is in the bin. */
export const isMissionInBin = (id: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from missions where missions.id = ${sql.ref(id)} and missions.deleted_time is not null)`;

/** Ids of the usergroups of a mission of the query. */
export const groupsOfMission = sql<string[]>`array(
  select usergroup_id::text from mission_usergroups where mission_id = missions.id)`;

/** Whether a mission of the query is shared with one of these usergroups. */
export const isMissionOfGroups = (groups: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from mission_usergroups link
    where link.mission_id = missions.id and link.usergroup_id = any (${groups}))`;
