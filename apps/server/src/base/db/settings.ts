import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Decisions of the installation's set-up page. */
export type Settings = {
  /** Guests may see UNCLASSIFIED items shared with group Demo. */
  guest: boolean;
  /** Random id of this installation, for its licence: it moves with a backup. */
  nodeId: string;
  /**
   * Also in a file of the data folder: the two belong together. Null before the first start of a version that has it.
   */
  installationId: string | null;
  /** The site's own licence, with its logo encoded again (png, base64). */
  licence: { token: string; logo: string | null } | null;
  /** A superAdmin has seen the key of the backups. */
  backupKeySeen: boolean;
  /** Content of the folder of the backups when it was last read. */
  backupsKnown: BackupsKnown | null;
  /** How the worker runs decoders, found out by trying at its last start. */
  decoders: { isolated: boolean } | null;
  /** Result of the worker's last comparison of rows and files. */
  files: FilesFound | null;
  /** The last reading of stored files, running or ended. */
  storedCheck: StoredCheck | null;
  /** Used bytes of the disk of the recordings, once a day, oldest first. */
  diskUse: DiskUse[];
  /** Time of the last update of the server that the audit names, UTC microseconds. */
  updateTold: number;
};

/** Times in UTC microseconds. */
export type BackupsKnown = {
  folder: string;
  count: number;
  lastVerified: number | null;
  /** Since when it cannot be read; null while it can. */
  awaySince: number | null;
};

/** UTC microseconds. */
export type DiskUse = { time: number; usedBytes: number };

export type FilesFound = {
  /** Files of the folder `lost` of the storage. */
  lost: { files: number; bytes: number };
  /** Rows whose file is not there, and the places of the first of them. */
  missing: { files: number; first: string[] };
  /** The disk itself is away. Left out by earlier versions. */
  isAway?: boolean;
};

/** A day's share of stored files that are read again. Times in UTC microseconds. */
export type StoredCheck = {
  started: number;
  /** Null while it runs. */
  ended: number | null;
  files: number;
  bytes: number;
  wantedBytes: number;
  /** Files of this share that are not what was stored. */
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
