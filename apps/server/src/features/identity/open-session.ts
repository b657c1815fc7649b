import { type Actor, AppError, type Classification, CREDENTIAL_LIFE_MS } from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Account, lowerOf, NO_CEILING, underCeiling } from '../../base/access/actors.ts';
import { requestAudit } from '../../base/audit/request-audit.ts';
import type { AuditWriter } from '../../base/audit/writer.ts';
import type { Credentials } from './credentials.ts';
import { DEVICE_COOKIE } from './session.ts';

type Opening = {
  account: Account;
  /** The highest label for the session, as chosen at login; no limit if omitted. */
  ceiling?: Classification | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
};
type Deps = {
  credentials: Credentials;
  auditWriter: AuditWriter;
  nowUs: () => number;
  /** The highest label that any session on this listener may see. */
  listenCeiling: Classification;
  /** Returns whether the licence allows this account to sign in. */
  admit: (actor: Actor, how: { signsIn: boolean }) => boolean;
};

/**
 * Creates a device credential with its cookie, which the page keeps instead of the password.
 *
 * @throws AppError tooManyUsers if all users of the licence are taken; unauthorized if the account has changed since
 */
export async function openSession(
  { credentials, auditWriter, nowUs, listenCeiling, admit }: Deps,
  { account, ceiling: chosen = NO_CEILING, request, reply }: Opening,
) {
  // The ceiling is stored with the credential, so that seeing more requires a new login even if the listener's limit is
  // raised later.
  const ceiling = lowerOf(chosen, listenCeiling);
  const { actor, epoch } = underCeiling(account, ceiling);
  if (!admit(actor, { signsIn: true })) {
    const refused = { action: 'login', subject: actor.id, decision: 'refused', result: 'tooManyUsers' } as const;
    await requestAudit(auditWriter, { actor, session: null, address: request.ip }, nowUs).write(refused);
    throw new AppError('tooManyUsers');
  }
  const client = request.headers['user-agent'] ?? '';
  await credentials.seen(actor.id);
  const made = await credentials.make({ userId: actor.id, epoch, client, address: request.ip, cookie: true, ceiling });
  const asking = { actor, session: made.id, address: request.ip };
  await requestAudit(auditWriter, asking, nowUs).write({
    action: 'login',
    subject: actor.id,
    ...(ceiling !== NO_CEILING && { result: `ceiling ${ceiling}` }),
  });
  reply.setCookie(DEVICE_COOKIE, made.cookie ?? '', {
    ...cookieShape(request),
    maxAge: Math.floor(CREDENTIAL_LIFE_MS / 1000),
  });
  return { role: actor.role, credential: made.secret, username: actor.username };
}

export function closeCookie(reply: FastifyReply): void {
  reply.clearCookie(DEVICE_COOKIE, cookieShape(reply.request));
}

/** Returns the attributes of the cookie. Its path is `/`, because thumbnails are outside of /api. */
const cookieShape = ({ protocol }: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'strict', secure: protocol === 'https' }) as const;
