import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Settings chosen on the installation's set-up page, and facts that the server remembers. */
export type Settings = {
  /** Guests may see UNCLASSIFIED items shared with group Demo. */
  guest: boolean;
  /** Random id of this installation, which its licence refers to. It is restored with a backup. */
  nodeId: string;
  /**
   * Random id that is also stored in a file of the data directory, to verify that database and data directory belong
   * together. Null before the first start of a version that supports it.
   */
  installationId: string | null;
  /** The licence of this site, with its logo re-encoded (png, base64). */
  licence: { token: string; logo: string | null } | null;
  /** True once a superAdmin has viewed the key of the backups. */
  backupKeySeen: boolean;
  /** Content of the backup directory when it was last read. */
  backupsKnown: BackupsKnown | null;
  /** How the worker runs decoders, found out by trying at its last start. */
  decoders: { isolated: boolean } | null;
  /** Result of the worker's last comparison of rows and files. */
  files: FilesFound | null;
  /** The most recent check of stored files, running or finished. */
  storedCheck: StoredCheck | null;
  /** Used bytes of the recordings' disk, one entry per day, oldest first. */
  diskUse: DiskUse[];
  /** Time of the most recent server update recorded in the audit, in UTC microseconds. */
  updateTold: number;
};

/** State of the backup directory when last read. Times in UTC microseconds. */
export type BackupsKnown = {
  folder: string;
  count: number;
  lastVerified: number | null;
  /** Time since which the directory has been unreadable; null while it is readable. */
  awaySince: number | null;
};

/** `time` is in UTC microseconds. */
export type DiskUse = { time: number; usedBytes: number };

export type FilesFound = {
  /** Files in the storage's directory `lost`. */
  lost: { files: number; bytes: number };
  /** Rows whose file is missing, and the storage paths of the first of them. */
  missing: { files: number; first: string[] };
  /** The disk itself is unavailable. Absent in results of earlier versions. */
  isAway?: boolean;
};

/** A day's share of stored files that are read again. Times in UTC microseconds. */
export type StoredCheck = {
  started: number;
  /** Null while the check is running. */
  ended: number | null;
  files: number;
  bytes: number;
  wantedBytes: number;
  /** Number of files in this share whose content differs from what was stored. */
  damaged: number;
};

const defaults: Settings = {
  guest: false,
  nodeId: '',
  installationId: null,
  licence: null,
  backupKeySeen: false,
  backupsKnown: null,
  decoders: null,
  files: null,
  storedCheck: null,
  diskUse: [],
  updateTold: 0,
};

export async function readSetting<K extends keyof Settings>(db: Kysely<Database>, key: K): Promise<Settings[K]> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
  return row === undefined ? defaults[key] : (row.value as Settings[K]);
}

export async function writeSetting<K extends keyof Settings>(db: Kysely<Database>, key: K, value: Settings[K]) {
  const row = { key, value: JSON.stringify(value) };
  await db
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
    .execute();
}
