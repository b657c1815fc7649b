import type { Actor } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../access/as-system.ts';
import { items } from './product.ts';

/**
 * Starts a query on missions for an actor: only rows that `mission.read` allows, and none in the bin. All queries for
 * actors must start here; sensors, files and shapes are joined.
 */
export const visible = (db: Db, actor: Actor) => items.visible('mission', db, actor);

/** Usergroups of a mission above UNCLASSIFIED, whose reading is audited; none of others. A column over `missions`. */
export const usergroupsOfMarked = sql<string[]>`case when missions.classification > 1 then array(
  select link.usergroup_id::text from mission_usergroups link where link.mission_id = missions.id) else '{}'::text[] end`;

/** Starts a query on missions in the bin that the actor could read if they were not deleted. */
export const visibleInBin = (db: Db, actor: Actor) => items.visibleInBin('mission', db, actor);

/** The rule `mission.read` as a condition over `missions`. */
export const visibleTo = (actor: Actor) => items.visibleTo('mission', actor);

/** Starts a query on platforms that the actor may read. Their sensors are reached by joining. */
export const visiblePlatforms = (db: Db, actor: Actor) => items.visible('platform', db, actor);

export const visibleDocuments = (db: Db, actor: Actor) => items.visible('document', db, actor);

export const visibleAnnotations = (db: Db, actor: Actor) => items.visible('annotation', db, actor);

export const annotationsInBin = (db: Db, actor: Actor) => items.visibleInBin('annotation', db, actor);

export const documentsInBin = (db: Db, actor: Actor) => items.visibleInBin('document', db, actor);

export const visibleCases = (db: Db, actor: Actor) => items.visible('case', db, actor);

export const casesInBin = (db: Db, actor: Actor) => items.visibleInBin('case', db, actor);
