import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, list, micros } from './core/call.ts';

/** Made by the server alone: date and time (UTC), why it was made. No commas, which separate names in the DELETE. */
export const backupName = z
  .string()
  .regex(/^\d{8}-\d{6}-(?:schedule|manual|command|migration)(?:-\d{1,3})?$/, 'Not the name of a backup');

export const backupOrigins = ['schedule', 'manual', 'command', 'migration'] as const;

/**
 * `waiting`, `running`: not there yet. `unverified`: made, not proved. `verifying`: being restored into a scratch
 * database. `verified`: restored once and found whole. `incomplete`: the same, but stored files of the server were
 * damaged when it was made, and they are neither restored nor given up. `failed`: could not be made, or is not whole.
 */
export const backupStates = [
  'waiting',
  'running',
  'unverified',
  'verifying',
  'verified',
  'incomplete',
  'failed',
  'deleting',
] as const;
export type BackupState = (typeof backupStates)[number];

export const backup = z.object({
  name: backupName,
  origin: z.enum(backupOrigins),
  /** Label of the backup: the highest one of the installation, since it holds everything. */
  securityClassification: classificationWord,
  state: z.enum(backupStates),
  created: micros,
  /** Percent of the present step, 0 to 100; null while nothing is done. */
  progress: z.number().nullable(),
  /** Bytes of all files of the backup, and of those that no earlier backup held. */
  sizeBytes: z.int().nullable(),
  newBytes: z.int().nullable(),
  rows: z.int().nullable(),
  files: z.int().nullable(),
  /** Files taken over from an earlier backup as unchanged, and how many of those were read all the same; null: not known. */
  unchanged: z.object({ files: z.int(), read: z.int() }).nullable(),
  /** Number of stored files that were damaged when the backup was made, and are neither restored nor given up. */
  damaged: z.int(),
  schemaVersion: z.string().nullable(),
  /** When it was last restored into a scratch database and found whole. */
  verified: micros.nullable(),
  /** A whole sentence. */
  error: z.string().nullable(),
});
export type Backup = z.output<typeof backup>;

export const backupFacts = z.object({
  /** Number of whole backups; while the backup folder cannot be reached, the number found last. */
  count: z.int(),
  /**
   * Time since which the backup folder cannot be reached, or is that of another installation; null while it can be
   * read.
   */
  awaySince: micros.nullable(),
  /** The backup that is being made or verified now. */
  running: z.object({ name: backupName, state: z.enum(backupStates), progress: z.number() }).nullable(),
  /** The newest backup that ended, successful or not. */
  last: z
    .object({ name: backupName, state: z.enum(backupStates), created: micros, error: z.string().nullable() })
    .nullable(),
  /** As `count`: while their folder is away, what was known last. */
  lastVerified: micros.nullable(),
  /**
   * A sentence for a standing notice: the last backup failed, or none was verified for a week. Null when all is well.
   */
  warning: z.string().nullable(),
  /** UTC time of the daily backup, as HH:MM; null when none is scheduled. */
  schedule: z.string().nullable(),
  next: micros.nullable(),
  keep: z.int(),
  folder: z.string(),
  freeBytes: z.int().nullable(),
  /** Whether the folder is on the disk of the recordings: one disk failure loses both. */
  sameDisk: z.boolean(),
  /** Whether the key was never shown: a superAdmin should see it once and keep it elsewhere. */
  keyUnseen: z.boolean(),
});
export type BackupFacts = z.output<typeof backupFacts>;

const names = z.object({ params: z.object({ name: backupName }) });

export const listBackups = defineCall({
  method: 'GET',
  path: '/backups',
  summary: 'Lists the backups, newest first, also failed ones',
  action: 'backup.list',
  input: z.object({}),
  answer: z.array(backup),
  errors: ['notSignedIn', 'forbidden', 'unavailable'],
});

export const countBackups = defineCall({
  method: 'GET',
  path: '/backups/count',
  summary: 'Returns how many backups there are, the result of the last one, and the schedule',
  action: 'backup.list',
  input: z.object({}),
  answer: backupFacts,
  errors: ['notSignedIn', 'forbidden', 'unavailable'],
});

export const createBackup = defineCall({
  method: 'POST',
  path: '/backups',
  summary: 'Starts a backup. The list shows its progress',
  action: 'backup.create',
  input: z.object({}),
  answer: z.object({ name: backupName, message: z.string() }),
  errors: ['notSignedIn', 'forbidden', 'backupRunning'],
});

export const verifyBackup = defineCall({
  method: 'POST',
  path: '/backups/:name/verify',
  summary: 'Verifies a backup again by restoring it into a scratch database and reading some of its files',
  action: 'backup.create',
  input: names,
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'backupRunning'],
});

export const deleteBackups = defineCall({
  method: 'DELETE',
  path: '/backups',
  summary: 'Deletes backups by name, for good',
  action: 'backup.delete',
  input: z.object({ query: z.object({ backups: list(100).pipe(z.array(backupName).min(1)) }) }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'backupRunning'],
});

export const showBackupKey = defineCall({
  method: 'POST',
  path: '/backups/key',
  lasting: true,
  summary: 'Returns the backup key, once. Store it elsewhere: nothing can be restored without it',
  action: 'backup.delete',
  input: z.object({}),
  answer: z.object({ key: z.string(), file: z.string() }),
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});
