import { createHash, randomBytes } from 'node:crypto';
import {
  AppError,
  type Classification,
  CREDENTIAL_IDLE_MS,
  CREDENTIAL_LIFE_MS,
  classificationRank,
} from '@osprey/contract';
import type { Kysely, Transaction } from 'kysely';
import { type Account, NO_CEILING, selectAccounts, toAccount } from '../../base/access/actors.ts';
import { preparedBy } from '../../base/db/prepared.ts';
import type { Database } from '../../base/db/schema.ts';

/** Prefix that distinguishes a device credential from a password; 256 random bits follow. */
const PREFIX = 'osd_';
const SECRET_BYTES = 32;
/** Minimum interval between two writes of `last_used`. */
const TOUCH_MS = 60_000;

export type CredentialRow = {
  id: string;
  user_id: string;
  cookie_hash: Buffer | null;
  created: number;
  last_used: number;
  expires: number;
  client: string;
  address: string;
  for_script: boolean;
  ceiling: number;
};

export type NewCredential = {
  userId: string;
  /** Epoch of the account when its identity was checked; omitted if it was not checked. */
  epoch?: number;
  client: string;
  address: string;
  cookie: boolean;
  /** The highest label that the session may see; no limit if omitted. */
  ceiling?: Classification;
  /** Present for the credential of a script, which has its own lifetime. */
  script?: { lifeMs: number };
};
export type MadeCredential = { id: string; secret: string; cookie: string | null };

export type Credentials = ReturnType<typeof credentialRepository>;

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const hashOf = (text: string): string => sha256(text).toString('hex');
const random = () => randomBytes(SECRET_BYTES).toString('base64url');

export const isDeviceCredential = (secret: string): boolean => secret.startsWith(PREFIX);

/**
 * Device credentials: random values of which only hashes are stored. They expire after 12 h without use or after 7
 * days; those of scripts, after the lifetime chosen for them.
 */
export function credentialRepository({ db, nowUs }: { db: Kysely<Database>; nowUs: () => number }) {
  /** When this process last wrote the time at which an account was used, since scripts send many requests a minute. */
  const seenUs = new Map<string, number>();

  async function touch(row: CredentialRow): Promise<void> {
    if (nowUs() - row.last_used < TOUCH_MS * 1000) return;
    row.last_used = nowUs();
    await db.updateTable('credentials').set({ last_used: nowUs() }).where('id', '=', row.id).execute();
    await noteSeen(row.user_id);
  }

  /** Records that the account was used. */
  async function noteSeen(userId: string): Promise<void> {
    const now = nowUs();
    if (now - (seenUs.get(userId) ?? Number.NEGATIVE_INFINITY) < TOUCH_MS * 1000) return;
    await db
      .updateTable('users')
      .set({ last_access: now })
      .where('id', '=', userId)
      .where((eb) => eb.or([eb('last_access', 'is', null), eb('last_access', '<', now - TOUCH_MS * 1000)]))
      .execute();
    seenUs.set(userId, now);
  }

  const idleSince = () => nowUs() - CREDENTIAL_IDLE_MS * 1000;

  const isUsable = ({ expires, last_used, for_script }: CredentialRow): boolean =>
    expires > nowUs() && (for_script || last_used > idleSince());

  /** Finds a credential by its id or by a hash in hex, even if it has expired. */
  async function row(column: 'id' | 'secret_hash' | 'cookie_hash', value: string): Promise<CredentialRow | null> {
    const requested = column === 'id' ? value : Buffer.from(value, 'hex');
    const found = await db.selectFrom('credentials').selectAll().where(column, '=', requested).executeTakeFirst();
    return found ?? null;
  }

  /** Selects a credential and its account with one statement, since every request begins with it. */
  const selectBy = (column: 'secret_hash' | 'cookie_hash') =>
    preparedBy(db, (hash: Buffer) =>
      selectAccounts(db)
        .innerJoin('credentials', 'credentials.user_id', 'users.id')
        .select(['credentials.id as credential_id', 'user_id', 'cookie_hash', 'credentials.created', 'last_used'])
        .select(['expires', 'client', 'address', 'for_script', 'ceiling'])
        .where(column, '=', hash),
    );
  const selected = { secret_hash: selectBy('secret_hash'), cookie_hash: selectBy('cookie_hash') };

  async function find(column: 'secret_hash' | 'cookie_hash', text: string): Promise<Found | null> {
    const [found] = await selected[column](sha256(text));
    if (found === undefined || found.disabled) return null;
    const { credential_id: id, user_id, cookie_hash, created, last_used, expires, client, address } = found;
    const { for_script, ceiling } = found;
    const row = { id, user_id, cookie_hash, created, last_used, expires, client, address, for_script, ceiling };
    return isUsable(row) ? { row, account: toAccount(found) } : null;
  }

  return {
    hashOf,
    row,
    isUsable,
    fitsCookie,
    touch,
    seen: noteSeen,

    /**
     * Creates a credential. Its secret and cookie are returned only here, since only their hashes are stored.
     *
     * @throws AppError unauthorized if the account has changed: a password that was right a moment ago may meanwhile
     * have been revoked, with all existing credentials
     */
    async make({ userId, epoch, client, address, cookie, ceiling, script }: NewCredential): Promise<MadeCredential> {
      const secret = PREFIX + random();
      const value = cookie ? random() : null;
      const row = {
        user_id: userId,
        secret_hash: sha256(secret),
        cookie_hash: value === null ? null : sha256(value),
        created: nowUs(),
        last_used: nowUs(),
        expires: nowUs() + (script?.lifeMs ?? CREDENTIAL_LIFE_MS) * 1000,
        for_script: script !== undefined,
        ceiling: classificationRank(ceiling ?? NO_CEILING),
        client: client.slice(0, 200),
        address,
      };
      return db.transaction().execute(async (tx) => {
        // The lock is held until commit: a concurrent revocation of all credentials happens before this insertion, or
        // deletes the inserted row too.
        const owner = await tx
          .selectFrom('users')
          .select('epoch')
          .where('id', '=', userId)
          .forShare()
          .executeTakeFirst();
        if (epoch !== undefined && owner?.epoch !== epoch) throw new AppError('unauthorized');
        const { id } = await tx.insertInto('credentials').values(row).returning('id').executeTakeFirstOrThrow();
        return { id, secret, cookie: value };
      });
    },

    async bySecret(secret: string, cookie: string | null): Promise<Found | null> {
      const found = await find('secret_hash', secret);
      if (found === null) return null;
      if (!fitsCookie(found.row, cookie)) return null;
      await touch(found.row);
      return found;
    },

    byCookie: (cookie: string): Promise<Found | null> => find('cookie_hash', cookie),

    /**
     * Returns the account that a secret belongs to, even if the credential has expired, since the use of a copied
     * secret is audited.
     */
    async ownerOf(secret: string): Promise<string | null> {
      return (await row('secret_hash', hashOf(secret)))?.user_id ?? null;
    },

    async isGood(id: string): Promise<boolean> {
      const found = await row('id', id);
      return found !== null && found.expires > nowUs();
    },

    list: (userId: string): Promise<CredentialRow[]> =>
      db
        .selectFrom('credentials')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires', '>', nowUs())
        .where((eb) => eb.or([eb('for_script', '=', true), eb('last_used', '>', idleSince())]))
        .orderBy('last_used', 'desc')
        .execute(),

    /** Returns false if the account has no such credential. */
    async revoke(userId: string, id: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('credentials')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    },

    revokeAll: (userId: string, except: string | null = null) => revokeCredentials(db, userId, except),

    /** Deletes rows that can never become valid again. */
    async sweep(): Promise<void> {
      await db
        .deleteFrom('credentials')
        .where((eb) => {
          const isIdle = eb.and([eb('for_script', '=', false), eb('last_used', '<', idleSince())]);
          return eb.or([eb('expires', '<', nowUs()), isIdle]);
        })
        .execute();
    },
  };
}

/** A credential that belongs to a browser is valid only together with its cookie. */
function fitsCookie({ cookie_hash: requested }: CredentialRow, cookie: string | null): boolean {
  return requested === null || (cookie !== null && requested.equals(sha256(cookie)));
}

export type Found = { row: CredentialRow; account: Account };

/**
 * Revokes all credentials of an account, optionally except that of the caller. A notice closes the sockets opened with
 * them.
 */
export async function revokeCredentials(
  db: Kysely<Database> | Transaction<Database>,
  userId: string,
  except: string | null = null,
): Promise<void> {
  let query = db.deleteFrom('credentials').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '!=', except);
  await query.execute();
}
