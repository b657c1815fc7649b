import type { ItemName } from '@osprey/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';

export type Db = Kysely<Database> | Transaction<Database>;

/**
 * Reasons for which a job may read items without an actor: the name of an item kind, for work of its own feature, or
 * one of those listed.
 */
export type SystemReason =
  | ItemName
  | 'ingest'
  | 'authorized change'
  | 'upload'
  | 'samples'
  | 'jobs'
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
  | 'recorder'
  | 'audit names'
  | 'ais sources'
  | 'start';

/**
 * Gives access to items without an actor, for jobs and for decisions made for many actors in one query. The reason is
 * not evaluated; it documents each use for code review.
 */
export function asSystem(db: Db, _reason: SystemReason) {
  return db;
}
