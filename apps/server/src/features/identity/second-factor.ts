import { createHmac, randomInt } from 'node:crypto';
import { type Actor, AppError, type Role, type SecondFactorOffer, type SecondFactorState } from '@osprey/contract';
import type { Kysely, Transaction } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { SecretBox } from '../../base/access/secret-box.ts';
import type { Database } from '../../base/db/schema.ts';
import { revokeCredentials } from './credentials.ts';

const SECRET_BYTES = 20;
const PERIOD_S = 30;
const DIGITS = 6;
/** Number of time steps by which a code may be off, since the clocks of phones differ. */
const WINDOW_STEPS = 1;
const RECOVERY_CODES = 10;
/** Characters of the codes, without letters and digits that look alike: 50 random bits per code. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUP_CHARACTERS = 5;

type Db = Kysely<Database> | Transaction<Database>;
type Who = Pick<Actor, 'id' | 'username'>;

export type SecondFactorDeps = {
  db: Kysely<Database>;
  box: SecretBox;
  /** Key of the hash of recovery codes; only a keyed hash is stored, since the codes are short. */
  codeKey: Buffer;
  /** Name of the issuer shown in the authenticator app. */
  issuer: string;
  /** Roles that must have a second factor. */
  demandedOf: readonly Role[];
  nowUs: () => number;
};

type Confirming = { userId: string; code: string; epoch: number; except: string | null };
type Confirmed = { recoveryCodes: string[]; epoch: number };

export type SecondFactors = ReturnType<typeof secondFactors>;

/**
 * Second factors: time-based codes (RFC 6238) in addition to the password, each valid once, and recovery codes in case
 * the phone is lost.
 */
export function secondFactors({ db, box, codeKey, issuer, demandedOf, nowUs }: SecondFactorDeps) {
  const totpOf = (username: string, secret: Secret) =>
    new TOTP({ issuer, label: username, secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_S });

  const hashOf = (code: string) =>
    createHmac('sha256', codeKey)
      .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
      .digest();

  const find = (userId: string) =>
    db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();

  /** Returns the time step that a code belongs to; null if the code is wrong. */
  function stepOf(sealed: string, code: string): number | null {
    const digits = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(digits)) return null;
    const [base32 = ''] = box.open(sealed);
    const timestamp = nowUs() / 1000;
    const delta = totpOf('', Secret.fromBase32(base32)).validate({ token: digits, timestamp, window: WINDOW_STEPS });
    return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
  }

  /** A single statement, so that a code sent twice concurrently is accepted only once. */
  async function takeStep(tx: Db, userId: string, step: number): Promise<boolean> {
    const taken = await tx
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .executeTakeFirst();
    return taken.numUpdatedRows > 0n;
  }

  async function newCodes(tx: Db, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
    await tx
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code) })))
      .execute();
    return codes;
  }

  const isDemanded = ({ role }: Pick<Actor, 'role'>) => demandedOf.includes(role);
  const isEnabled = async (userId: string) => ((await find(userId))?.confirmed ?? null) !== null;

  return {
    isDemanded,
    isEnabled,
    /** Returns whether the account may not sign in with its password alone. */
    isNeeded: async (actor: Pick<Actor, 'id' | 'role'>) => isDemanded(actor) || (await isEnabled(actor.id)),

    async state(actor: Pick<Actor, 'id' | 'role'>): Promise<SecondFactorState> {
      const since = (await find(actor.id))?.confirmed ?? null;
      const { count } = await db
        .selectFrom('recovery_codes')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', actor.id)
        .executeTakeFirstOrThrow();
      return { enabled: since !== null, since, recoveryCodesLeft: Number(count), demanded: isDemanded(actor) };
    },

    /**
     * Creates a second factor to be confirmed, replacing one that was never confirmed. Null if the account already has
     * a confirmed one.
     */
    async offer({ id, username }: Who): Promise<SecondFactorOffer | null> {
      const secret = new Secret({ size: SECRET_BYTES });
      const values = { secret: box.seal([secret.base32]), created: nowUs() };
      const made = await db
        .insertInto('second_factors')
        .values({ user_id: id, ...values, confirmed: null })
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet(values).where('second_factors.confirmed', 'is', null),
        )
        .executeTakeFirst();
      if (made.numInsertedOrUpdatedRows === 0n) return null;
      const uri = totpOf(username, secret).toString();
      // Loaded on demand, since the library is large and seldom needed.
      const { toDataURL } = await import('qrcode');
      return { secret: secret.base32, uri, picture: await toDataURL(uri, { margin: 2, scale: 5 }) };
    },

    /**
     * Confirms the second factor with a first code and returns the recovery codes; null for a wrong code, or if none
     * was offered. All existing sessions were opened with the password alone, so they are closed; a login in progress
     * fails too, since the epoch of the account rises.
     *
     * @param epoch epoch of the account when its identity was checked
     * @param except id of the caller's own credential, which is kept
     * @throws AppError unauthorized if the account has changed since
     */
    async confirm({ userId, code, epoch, except }: Confirming): Promise<Confirmed | null> {
      const row = await find(userId);
      const step = row && row.confirmed === null ? stepOf(row.secret, code) : null;
      if (step === null) return null;
      return db.transaction().execute(async (tx) => {
        if (!(await takeStep(tx, userId, step))) return null;
        await tx.updateTable('second_factors').set({ confirmed: nowUs() }).where('user_id', '=', userId).execute();
        const raised = await tx
          .updateTable('users')
          .set({ epoch: epoch + 1 })
          .where('id', '=', userId)
          .where('epoch', '=', epoch)
          .executeTakeFirst();
        if (raised.numUpdatedRows === 0n) throw new AppError('unauthorized');
        await revokeCredentials(tx, userId, except);
        return { recoveryCodes: await newCodes(tx, userId), epoch: epoch + 1 };
      });
    },

    /** Returns whether a code is valid, and uses it up. */
    async take(userId: string, code: string): Promise<boolean> {
      const row = await find(userId);
      if (!row || row.confirmed === null) return false;
      const step = stepOf(row.secret, code);
      if (step !== null) return takeStep(db, userId, step);
      const gone = await db
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hashOf(code))
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    },

    renewCodes: (userId: string): Promise<string[]> => db.transaction().execute((tx) => newCodes(tx, userId)),

    async remove(userId: string): Promise<void> {
      await db.deleteFrom('second_factors').where('user_id', '=', userId).execute();
    },
  };
}

function newRecoveryCode(): string {
  const group = () => Array.from({ length: GROUP_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${group()}-${group()}`;
}
