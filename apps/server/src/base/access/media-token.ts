import { createHmac, timingSafeEqual } from 'node:crypto';
import { DOCUMENT_TOKEN_MS, MEDIA_TOKEN_MS } from '@osprey/contract';
import { z } from 'zod';

/** What a media token says: one user, one mission or document, one session, the epochs of both, and until when. */
const claims = z.object({
  user: z.uuid(),
  userEpoch: z.int(),
  noun: z.enum(['missions', 'documents']),
  item: z.uuid(),
  itemEpoch: z.int(),
  session: z.string(),
  address: z.string(),
  expires: z.int(),
});
export type MediaClaims = z.output<typeof claims>;

export type MediaTokens = ReturnType<typeof mediaTokens>;

const lifeMs: Record<MediaClaims['noun'], number> = { missions: MEDIA_TOKEN_MS, documents: DOCUMENT_TOKEN_MS };

/**
 * Signs and verifies what opens the bytes of one item without a session: the `?token=` of media addresses (5 minutes)
 * and the Bearer token of a document's download (60 s). Good for nothing else.
 */
export function mediaTokens({ key, nowMs }: { key: Buffer; nowMs: () => number }) {
  const signatureOf = (body: string) => createHmac('sha256', key).update(`media/${body}`).digest('base64url');

  function genuine(token: string): MediaClaims | null {
    const [body = '', signature = '', ...rest] = token.split('.');
    if (rest.length > 0 || !isSame(signature, signatureOf(body))) return null;
    return claims.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString())).data ?? null;
  }

  return {
    sign(wanted: Omit<MediaClaims, 'expires'>): string {
      const body = Buffer.from(JSON.stringify({ ...wanted, expires: nowMs() + lifeMs[wanted.noun] })).toString(
        'base64url',
      );
      return `${body}.${signatureOf(body)}`;
    },

    /** Null for a token that was changed, is too old, or never was one of ours. */
    verify(token: string): MediaClaims | null {
      const read = genuine(token);
      return read !== null && read.expires > nowMs() ? read : null;
    },

    /** The session that a document's token was made for, however old it is: what that session began may go on. */
    begunBy(token: string): string | null {
      const read = genuine(token);
      return read?.noun === 'documents' ? read.session : null;
    },
  };
}

/** As texts: the last character of base64 holds bits that decoding forgets. */
function isSame(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
