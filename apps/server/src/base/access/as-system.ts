import type { ItemName } from '@osprey/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';

export type Db = Kysely<Database> | Transaction<Database>;

/**
 * Reasons for which items may be read without an actor: the name of an item kind, for work of its own feature, or an
 * activity that concerns several kinds.
 */
export type SystemReason =
  | ItemName
  | 'ingest'
  | 'authorized change'
  | 'upload'
  | 'jobs'
  | 'sweep'
  | 'events'
  | 'label'
  | 'media'
  | 'health'
  | 'metrics'
  | 'bin'
  | 'export'
  | 'import'
  | 'retention'
  | 'recorder'
  | 'audit names'
  | 'rights'
  | 'start';

/**
 * Gives access to items without an actor, for jobs and for decisions made for many actors in one query. The reason is
 * not evaluated; it documents each use for code review.
 */
export function asSystem(db: Db, _reason: SystemReason) {
  return db;
}
