import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';

export type Db = Kysely<Database> | Transaction<Database>;

/** Reasons for which a job may read items without an actor. */
export type SystemReason =
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
  | 'document'
  | 'recorder'
  | 'audit names'
  | 'annotation'
  | 'case'
  | 'ais sources'
  | 'start';

/** Items for jobs and for decisions that are made for many actors at once; the reason is what a reviewer looks for. */
export function asSystem(db: Db, _reason: SystemReason) {
  return db;
}
