import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Items } from './items.ts';

/** Claims of a media token: one user, one item, one session, the epochs of both, and until when. */
const claims = z.object({
  user: z.uuid(),
  userEpoch: z.int(),
  /** Plural. */
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
 * Signs and verifies what opens the bytes of one item without a session: the `?token=` of media addresses (5 minutes)
 * and the token of a document's download (60 s; 5 minutes in lists). Good for nothing else. The table of items says which have one.
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
    /** `lifeMs`: another one than its kind of item has. @throws Error for a kind of item without tokens */
    sign(requested: Omit<MediaClaims, 'expires'>, lifeMs?: number): string {
      const terms = termsOf(requested.noun);
      if (terms === undefined) throw new Error(`No media tokens for ${requested.noun}`);
      const expires = nowMs() + (lifeMs ?? terms.lifeMs);
      const body = Buffer.from(JSON.stringify({ ...requested, expires })).toString('base64url');
      return `${body}.${signatureOf(body)}`;
    },

    /** Null for a token that was changed, is too old, or never was one of ours. */
    verify(token: string): MediaClaims | null {
      const read = genuine(token);
      return read !== null && read.expires > nowMs() ? read : null;
    },

    /** The session that a token was made for, however old it is, where what that session began may go on. */
    begunBy(token: string): string | null {
      const read = genuine(token);
      return read !== null && termsOf(read.noun)?.continues === true ? read.session : null;
    },
  };
}

/** As texts: the last character of base64 holds bits that decoding forgets. */
function isSame(given: string, requested: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(requested)];
  return left.length === right.length && timingSafeEqual(left, right);
}
