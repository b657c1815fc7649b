import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** What the installation decided on its set-up page. */
export type Settings = {
  /** Guests may see UNCLASSIFIED items shared with group Demo. */
  guest: boolean;
  /** Random id of this installation. */
  nodeId: string;
  /** The site's own licence, with its logo drawn anew (png, base64). */
  licence: { token: string; logo: string | null } | null;
  /** A superAdmin has seen the key of the backups. */
  backupKeySeen: boolean;
  /** How the worker runs decoders, found out by trying at its last start. */
  decoders: { isolated: boolean } | null;
};

const defaults: Settings = { guest: false, nodeId: '', licence: null, backupKeySeen: false, decoders: null };

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
