import type { ItemName } from '@osprey/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';

export type Db = Kysely<Database> | Transaction<Database>;

/** Reasons for which a job may read items without an actor: an item, for work of its own feature, or one of these. */
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

/** Items for jobs and for decisions that are made for many actors at once; the reason is what a reviewer looks for. */
export function asSystem(db: Db, _reason: SystemReason) {
  return db;
}
