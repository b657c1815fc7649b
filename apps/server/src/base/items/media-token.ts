import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Items } from './items.ts';

/** Claims of a media token: user, item and session, the epochs of user and item, and the expiry time. */
const claims = z.object({
  user: z.uuid(),
  userEpoch: z.int(),
  /** Plural name of the item's kind. */
  noun: z.string(),
  item: z.uuid(),
  itemEpoch: z.int(),
  session: z.string(),
  address: z.string(),
  expires: z.int(),
});
export type MediaClaims = z.output<typeof claims>;

export type MediaTokens = ReturnType<typeof mediaTokens>;

export type MediaTokensDeps = { key: Buffer; items: Pick<Items, 'kindOfNoun'>; nowMs: () => number };

/**
 * Signs and verifies tokens that give access to the bytes of one item without a session: the `?token=` of media
 * addresses (5 minutes) and the token of a document download (60 s; 5 minutes in lists). They are valid for nothing
 * else. The table of items states which kinds have tokens.
 */
export function mediaTokens({ key, items, nowMs }: MediaTokensDeps) {
  const termsOf = (noun: string) => items.kindOfNoun(noun)?.token;
  const signatureOf = (body: string) => createHmac('sha256', key).update(`media/${body}`).digest('base64url');

  function genuine(token: string): MediaClaims | null {
    const [body = '', signature = '', ...rest] = token.split('.');
    if (rest.length > 0 || !isSame(signature, signatureOf(body))) return null;
    const read = claims.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString())).data;
    return read !== undefined && termsOf(read.noun) !== undefined ? read : null;
  }

  return {
    /**
     * Signs a token. `lifeMs` overrides the lifetime defined for the kind of item. @throws Error for a kind of item
     * without tokens
     */
    sign(requested: Omit<MediaClaims, 'expires'>, lifeMs?: number): string {
      const terms = termsOf(requested.noun);
      if (terms === undefined) throw new Error(`No media tokens for ${requested.noun}`);
      const expires = nowMs() + (lifeMs ?? terms.lifeMs);
      const body = Buffer.from(JSON.stringify({ ...requested, expires })).toString('base64url');
      return `${body}.${signatureOf(body)}`;
    },

    /** Returns the claims of a token; null if it was altered, has expired, or was not issued by this server. */
    verify(token: string): MediaClaims | null {
      const read = genuine(token);
      return read !== null && read.expires > nowMs() ? read : null;
    },

    /**
     * Returns the session that a token was issued to, however old the token is. Null unless the item's kind allows
     * transfers begun with a token to continue.
     */
    begunBy(token: string): string | null {
      const read = genuine(token);
      return read !== null && termsOf(read.noun)?.continues === true ? read.session : null;
    },
  };
}

/** Compares signatures as texts, since decoding ignores some bits of the last base64 character. */
function isSame(given: string, requested: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(requested)];
  return left.length === right.length && timingSafeEqual(left, right);
}
