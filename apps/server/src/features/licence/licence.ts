import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DEMO_PLATFORMS,
  DEMO_USERS,
  type LicenceOption,
  type LicencePayload,
  licenceOptions,
  type licenceStates,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readSetting, writeSetting } from '../../base/db/settings.ts';
import { keyIdOf, type LicenceKeys, LicenceRefused, readKey, readToken } from './token.ts';

const NODE_BYTES = 8;
const LOGO_VERSION_CHARACTERS = 16;
const OK = 'OK';

/** The licence as valid at one moment. Limits are numbers, or null for no limit. */
export type Licence = {
  state: (typeof licenceStates)[number];
  valid: boolean;
  message: string;
  company: string | null;
  payload: LicencePayload | null;
  usersMax: number | null;
  platformsMax: number | null;
  options: ReadonlySet<LicenceOption>;
  logo: { version: string; png: Buffer } | null;
};

export type LicenceDeps = {
  db: Kysely<Database>;
  /** The folder OSPREY_DATA/keys/licence. */
  keysFolder: string;
  nowUs: () => number;
};

const all: ReadonlySet<LicenceOption> = new Set(licenceOptions);
const without: ReadonlySet<LicenceOption> = new Set(licenceOptions.filter((option) => option !== 'export'));

/** State without any licence: all features are enabled, since the server needs no licence to work. */
const openLicence: Licence = {
  state: 'open',
  valid: true,
  message: OK,
  company: null,
  payload: null,
  usersMax: null,
  platformsMax: null,
  options: all,
  logo: null,
};

/** Returns the random id of this installation, generated once. It depends on no hardware, and moves with a backup. */
export async function nodeId(db: Kysely<Database>): Promise<string> {
  const fresh = randomBytes(NODE_BYTES).toString('hex').toUpperCase().match(/.{4}/g)?.join('-') ?? '';
  await db
    .insertInto('settings')
    .values({ key: 'nodeId', value: JSON.stringify(fresh) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return readSetting(db, 'nodeId');
}

/**
 * Reads the public keys of the folder. Files that are not keys are skipped, so that one bad file does not disable the
 * licence.
 */
export async function readLicenceKeys(folder: string): Promise<LicenceKeys> {
  const names = await readdir(folder).catch(() => []);
  const keys = new Map<string, ReturnType<typeof readKey>>();
  for (const name of names.filter((one) => one.endsWith('.pem'))) {
    try {
      const key = readKey(await readFile(join(folder, name), 'utf8'), 'public');
      keys.set(keyIdOf(key), key);
    } catch {
      // The file is not a key.
    }
  }
  return keys;
}

/** Checks that a token is valid on this node now. @throws LicenceRefused */
export async function checkToken({ db, keysFolder, nowUs }: LicenceDeps, token: string): Promise<LicencePayload> {
  const payload = readToken(token, await readLicenceKeys(keysFolder));
  if (payload.node !== undefined && payload.node !== (await nodeId(db))) {
    throw new LicenceRefused('It is made for another node.');
  }
  if (payload.expires !== undefined && payload.expires <= nowUs()) throw new LicenceRefused('It has expired.');
  return payload;
}

/** Reads the licence of this installation as currently valid; usable in every process. */
export async function readLicence(deps: LicenceDeps): Promise<Licence> {
  const stored = await readSetting(deps.db, 'licence');
  if (stored === null) return openLicence;
  const png = stored.logo === null ? null : Buffer.from(stored.logo, 'base64');
  const logo = png && {
    png,
    version: createHash('sha256').update(png).digest('hex').slice(0, LOGO_VERSION_CHARACTERS),
  };
  try {
    const payload = await checkToken(deps, stored.token);
    return {
      state: 'licensed',
      valid: true,
      message: OK,
      company: payload.customer,
      payload,
      usersMax: payload.users ?? null,
      platformsMax: payload.platforms ?? null,
      options: payload.options === undefined ? all : new Set(payload.options),
      logo,
    };
  } catch (error) {
    if (!(error instanceof LicenceRefused)) throw error;
    return demoOf(error.message);
  }
}

/** Returns a sentence that says why no mission may be exported; null if exports are allowed. */
export function refusalOfExports({ valid, options }: Licence): string | null {
  if (options.has('export')) return null;
  return valid ? 'The licence does not include exports.' : 'Exports are off: the licence of this server is not valid.';
}

/**
 * Limits for an invalid licence. They are stricter than those of any licence, so that an invalid licence is no
 * advantage.
 */
const demoOf = (reason: string): Licence => ({
  ...openLicence,
  state: 'demo',
  valid: false,
  message: reason,
  usersMax: DEMO_USERS,
  platformsMax: DEMO_PLATFORMS,
  options: without,
});

export async function storeLicence(db: Kysely<Database>, token: string, logo: Buffer | null): Promise<void> {
  await writeSetting(db, 'licence', { token: token.trim(), logo: logo?.toString('base64') ?? null });
}
