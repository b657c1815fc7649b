import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, list, micros } from './core/call.ts';

/**
 * Name of a backup, made by the server only: date and time (UTC), and the origin. It has no commas, since these
 * separate names in the DELETE call.
 */
export const backupName = z
  .string()
  .regex(/^\d{8}-\d{6}-(?:schedule|manual|command|migration)(?:-\d{1,3})?$/, 'Not the name of a backup');

export const backupOrigins = ['schedule', 'manual', 'command', 'migration'] as const;

/**
 * State of a backup. `waiting`, `running`: not completed yet. `unverified`: completed, but not verified. `verifying`:
 * being restored into a scratch database. `verified`: restored once and found complete. `incomplete`: likewise, but
 * some stored files of the server were damaged when it was made, and have not been restored or given up since.
 * `failed`: could not be made, or is not complete.
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
  /** Label of the backup: the highest one of the installation, since the backup contains everything. */
  securityClassification: classificationWord,
  state: z.enum(backupStates),
  created: micros,
  /** Progress of the current step in percent, 0 to 100; null while nothing is running. */
  progress: z.number().nullable(),
  /** Size of all files in the backup, and of those that no earlier backup contained, in bytes. */
  sizeBytes: z.int().nullable(),
  newBytes: z.int().nullable(),
  rows: z.int().nullable(),
  files: z.int().nullable(),
  /**
   * Number of files taken over from an earlier backup as unchanged, and how many of those were nevertheless read; null
   * if not known.
   */
  unchanged: z.object({ files: z.int(), read: z.int() }).nullable(),
  /**
   * Number of stored files that were damaged when the backup was made, and have not been restored or given up since.
   */
  damaged: z.int(),
  schemaVersion: z.string().nullable(),
  /** Time at which it was last restored into a scratch database and found complete. */
  verified: micros.nullable(),
  /** Complete sentence. */
  error: z.string().nullable(),
});
export type Backup = z.output<typeof backup>;

export const backupFacts = z.object({
  /** Number of complete backups; while the backup folder cannot be reached, the last known number. */
  count: z.int(),
  /**
   * Time since which the backup folder cannot be reached, or belongs to another installation; null while it is
   * readable.
   */
  awaySince: micros.nullable(),
  /** Backup that is being made or verified now. */
  running: z.object({ name: backupName, state: z.enum(backupStates), progress: z.number() }).nullable(),
  /** Newest backup that ended, successfully or not. */
  last: z
    .object({ name: backupName, state: z.enum(backupStates), created: micros, error: z.string().nullable() })
    .nullable(),
  /** Time of the last verification; while the backup folder cannot be reached, the last known one. */
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
  /** Whether the folder is on the same disk as the recordings, so that one disk failure would lose both. */
  sameDisk: z.boolean(),
  /** Whether the backup key was never shown. A superAdmin should view it once and store it elsewhere. */
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
