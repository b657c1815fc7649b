import { type Actor, classificationRank, isAdmin } from '@osprey/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';

export type Db = Kysely<Database> | Transaction<Database>;

/**
 * Starts every query on missions for somebody: only rows that `mission.read` allows, and none in the bin.
 * Sensors, files and shapes are reached by joining from here.
 */
export function visible(db: Db, actor: Actor) {
  return db.selectFrom('missions').where('missions.deleted_time', 'is', null).where(visibleTo(actor));
}

/** The same over the bin: what the actor could read if it were not deleted. */
export function visibleInBin(db: Db, actor: Actor) {
  return db.selectFrom('missions').where('missions.deleted_time', 'is not', null).where(visibleTo(actor));
}

/** Reasons for which a job may read items without an actor. */
export type SystemReason =
  | 'ingest'
  | 'authorized change'
  | 'upload'
  | 'samples'
  | 'sweep'
  | 'events'
  | 'label'
  | 'media token'
  | 'media'
  | 'setup'
  | 'health'
  | 'metrics'
  | 'platform sensors'
  | 'platform versions'
  | 'bin'
  | 'export'
  | 'import'
  | 'retention'
  | 'intake'
  | 'document'
  | 'recorder'
  | 'start';

/** Items for jobs and for decisions that are made for many actors at once; the reason is what a reviewer looks for. */
export function asSystem(db: Db, _reason: SystemReason) {
  return db;
}

/** Starts every query on platforms for somebody: the rule `platform.read`. Their sensors are reached by joining. */
export function visiblePlatforms(db: Db, actor: Actor) {
  return db.selectFrom('platforms').where('platforms.deleted_time', 'is', null).where(platformVisibleTo(actor));
}

export const platformVisibleTo = (actor: Actor) =>
  clearedAndShared(actor, 'platforms', 'platform_usergroups', 'platform_id');

/** The same for documents: only rows that `document.read` allows, and none in the bin. */
export function visibleDocuments(db: Db, actor: Actor) {
  return db.selectFrom('documents').where('documents.deleted_time', 'is', null).where(documentVisibleTo(actor));
}

/** Documents of the bin that the actor could read if they were not deleted. */
export function documentsInBin(db: Db, actor: Actor) {
  return db.selectFrom('documents').where('documents.deleted_time', 'is not', null).where(documentVisibleTo(actor));
}

/** The rule `document.read`; a property test holds the two equal. */
export const documentVisibleTo = (actor: Actor) =>
  clearedAndShared(actor, 'documents', 'document_usergroups', 'document_id');

/**
 * Clearance, and audience: the part that every labelled item has in common.
 *
 * @param link the table that names the usergroups of an item; `key` is its column for the item's id
 */
function clearedAndShared(actor: Actor, item: string, link: string, key: string) {
  const groupIds = actor.groups.map((group) => group._id);
  const ceilings = actor.groups.map((group) => classificationRank(group.ceiling));
  const column = (name: string) => sql.ref(`${item}.${name}`);
  return sql<boolean>`(
    ${column('classification')} <= ${classificationRank(actor.clearance)}
    and (
      ${actor.role === 'superAdmin'}::boolean
      or (${column('audience')} = 'everyone' and ${actor.role !== 'guest'}::boolean)
      or (${column('audience')} = 'groups' and exists (
        select from ${sql.table(link)} link
        join unnest(${groupIds}::uuid[], ${ceilings}::int[]) as held (id, ceiling) on held.id = link.usergroup_id
        where ${sql.ref(`link.${key}`)} = ${column('id')} and held.ceiling >= ${column('classification')}))
    )
  )`;
}

/** The rule `mission.read` of the contract, line by line; a property test holds the two equal. */
export function visibleTo(actor: Actor) {
  const administered = actor.role === 'groupAdmin' ? [...actor.administered] : [];
  return sql<boolean>`(
    ${clearedAndShared(actor, 'missions', 'mission_usergroups', 'mission_id')}
    and (
      missions.state <> 'Created'
      or ${isAdmin(actor)}::boolean
      or (${actor.role === 'groupAdmin'}::boolean
        and missions.audience = 'groups'
        and exists (select from mission_usergroups link where link.mission_id = missions.id)
        and not exists (
          select from mission_usergroups link
          where link.mission_id = missions.id and link.usergroup_id <> all (${administered}::uuid[])))
    )
  )`;
}
