import { createHmac } from 'node:crypto';
import { type Actor, AppError, type Classification, classificationOf, type Role } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import { type Account, lowerOf, underCeiling } from '../../base/access/actors.ts';
import { type AuditNote, requestAudit } from '../../base/audit/request-audit.ts';
import type { AuditWriter } from '../../base/audit/writer.ts';
import { isLoopback } from '../../base/config/config.ts';
import { type IdentifySession, noSession, type Session } from '../../base/http/session.ts';
import type { Items } from '../../base/items/items.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { MediaClaims, MediaTokens } from '../../base/items/media-token.ts';
import type { CheckLogin } from './check-login.ts';
import { type CredentialRow, type Credentials, type Found, isDeviceCredential } from './credentials.ts';
import type { LiveCredentials } from './live-credentials.ts';

export const DEVICE_COOKIE = 'osprey_device';

export type SessionDeps = {
  credentials: Credentials;
  /** Rights held in memory, so that media requests can be checked without a database query. */
  live: Pick<LiveRights, 'account' | 'facts'> & LiveCredentials;
  items: Pick<Items, 'kindOfNoun'>;
  checkLogin: CheckLogin;
  mediaTokens: MediaTokens;
  /** The highest label that any session on this listener may see. */
  listenCeiling: Classification;
  /** Key from which the ids of script sessions are derived, since they have no credential row. */
  sessionKey: Buffer;
  /** Roles that may not sign in with a password in a Basic header. */
  basicOff: readonly Role[];
  /** Returns whether the account may not sign in with its password alone. */
  needsSecondFactor: (actor: Actor) => Promise<boolean>;
  auditWriter: AuditWriter;
  nowUs: () => number;
};

/**
 * Identifies the sender of a request by Basic credentials or, for media, also by cookie, token or Bearer. Ignores
 * everything else that a client sends.
 */
export function sessionIdentifier(deps: SessionDeps): IdentifySession {
  const { credentials, live, sessionKey } = deps;

  return async function identify(request, { media }) {
    const bearer = media ? bearerOf(request) : null;
    const token = bearer ?? (media ? tokenOf(request) : null);
    const own = bearer === null ? await ownSession(request, media) : await besideBearer(request);
    if (token === null) return own;
    const found = await tokenSession(request, token, own);
    // An interrupted download that began with a valid token may continue with the session alone.
    const goesOn = own.actor !== null && isContinued(request) && deps.mediaTokens.begunBy(token) === own.id;
    return found.actor === null && goesOn ? own : found;
  };

  async function ownSession(request: FastifyRequest, media: boolean): Promise<Session> {
    const header = request.headers.authorization;
    if (header !== undefined) {
      const basic = readBasic(header);
      if (basic === null) return noSession('unauthorized');
      return isDeviceCredential(basic.password)
        ? deviceSession(request, basic, media)
        : passwordSession(request, basic);
    }
    const cookie = request.cookies[DEVICE_COOKIE];
    return media && cookie !== undefined && isSameOriginRead(request) ? cookieSession(cookie) : noSession();
  }

  /**
   * Finds the browser session of a request by its cookie, since a bearer token already takes the Authorization header.
   */
  async function besideBearer(request: FastifyRequest): Promise<Session> {
    const cookie = request.cookies[DEVICE_COOKIE];
    return cookie !== undefined && isSameOriginRead(request) ? cookieSession(cookie) : noSession();
  }

  async function deviceSession(
    request: FastifyRequest,
    { username, password }: Basic,
    media: boolean,
  ): Promise<Session> {
    const found = await (media ? live : credentials).bySecret(password, request.cookies[DEVICE_COOKIE] ?? null);
    if (found && found.account.actor.username.toLowerCase() === username.toLowerCase()) {
      return sessionOf(under(found), found.row.cookie_hash === null ? 'program' : 'device', found.row.id);
    }
    const owner = await credentials.ownerOf(password);
    // A valid secret without its cookie was copied, so it is audited.
    if (owner !== null)
      await noteRefused(request, { action: 'credential.use', subject: owner, result: 'unauthorized' });
    return noSession('unauthorized');
  }

  async function passwordSession(request: FastifyRequest, { username, password }: Basic): Promise<Session> {
    if (request.protocol !== 'https' && !isLoopback(request.ip)) throw new AppError('plainHttp');
    const { account, refusal } = await deps.checkLogin({ username, password, address: request.ip });
    if (account === null) {
      await noteRefused(request, { action: 'login', subject: refusal.userId, result: refusal.why });
      return noSession('unauthorized');
    }
    if (deps.basicOff.includes(account.actor.role)) {
      await noteRefused(request, { action: 'login', subject: account.actor.id, result: 'basicOff' });
      return noSession('unauthorized');
    }
    if (await deps.needsSecondFactor(account.actor)) {
      await noteRefused(request, { action: 'login', subject: account.actor.id, result: 'secondFactorNeeded' });
      return noSession('secondFactorNeeded');
    }
    await credentials.seen(account.actor.id);
    const name = createHmac('sha256', sessionKey).update(`${account.actor.id}/${request.ip}`).digest('base64url');
    const known = underCeiling(account, deps.listenCeiling);
    return { ...sessionOf(known, 'password', name), credentialId: null };
  }

  async function cookieSession(cookie: string): Promise<Session> {
    const found = await live.byCookie(cookie);
    return found ? sessionOf(under(found), 'cookie', found.row.id) : noSession('notSignedIn');
  }

  /** The token must have been issued to this address and, if the request has a session, to that session. */
  async function tokenSession(request: FastifyRequest, token: string, own: Session): Promise<Session> {
    const claims = deps.mediaTokens.verify(token);
    const isOwn = own.kind === 'none' ? own.refusal === null : own.id === claims?.session;
    if (claims === null || !isOwn || claims.address !== request.ip) return noSession('notSignedIn');
    const ceiling = await ceilingOf(claims.session);
    if (ceiling === null) return noSession('notSignedIn');
    const [account, itemEpoch] = await Promise.all([live.account(claims.user, ceiling), epochOf(claims)]);
    const stillGood = account?.epoch === claims.userEpoch && itemEpoch === claims.itemEpoch;
    if (account === null || !stillGood) return noSession('notSignedIn');
    const session = sessionOf(account, 'mediaToken', claims.session);
    return { ...session, credentialId: isCredential(claims.session) ? claims.session : null, onlyItem: claims.item };
  }

  async function epochOf({ noun, item }: MediaClaims): Promise<number | undefined> {
    const kind = deps.items.kindOfNoun(noun);
    return kind && (await live.facts(kind.item, item))?.epoch;
  }

  /**
   * Returns null once the session has ended, since a token is valid only as long as the credential it was issued for.
   */
  async function ceilingOf(session: string): Promise<Classification | null> {
    if (!isCredential(session)) return deps.listenCeiling;
    const row = await live.byId(session);
    return row && ceilingWith(row);
  }

  function ceilingWith({ ceiling }: CredentialRow): Classification {
    return lowerOf(classificationOf(ceiling), deps.listenCeiling);
  }

  function under({ row, account }: Found): Account {
    return underCeiling(account, ceilingWith(row));
  }

  async function noteRefused(request: FastifyRequest, note: AuditNote): Promise<void> {
    const asking = { actor: null, session: null, address: request.ip };
    await requestAudit(deps.auditWriter, asking, deps.nowUs).write({ ...note, decision: 'refused' });
  }
}

function sessionOf({ actor, epoch }: Account, kind: Session['kind'], id: string): Session {
  return { actor, kind, id, credentialId: id, userEpoch: epoch, onlyItem: null, refusal: null };
}

/** Only ids of credentials are UUIDs; session ids of scripts are not. */
const isCredential = (session: string): boolean => /^[0-9a-f-]{36}$/.test(session);

/** Reads a bearer token (RFC 6750). */
const bearerOf = ({ headers }: FastifyRequest): string | null =>
  /^Bearer +([A-Za-z0-9._~+/-]{1,2048}=*)$/i.exec(headers.authorization ?? '')?.[1] ?? null;

function tokenOf({ query }: FastifyRequest): string | null {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' ? token : null;
}

/**
 * Returns whether a read may use the session cookie: pages of other origins may embed our addresses, and browsers
 * report that in Sec-Fetch-Site.
 */
function isSameOriginRead({ method, headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return (method === 'GET' || method === 'HEAD') && (site === undefined || site === 'same-origin' || site === 'none');
}

/** Returns whether a request continues a file at a position after its beginning. */
const isContinued = ({ headers }: FastifyRequest): boolean => /^bytes=[1-9]/i.test(headers.range ?? '');

type Basic = { username: string; password: string };

/** Reads a Basic header (RFC 7617) as UTF-8. The first colon ends the name; the password may contain colons. */
function readBasic(header: string): Basic | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined) return null;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const text = decoder.decode(Buffer.from(encoded, 'base64'));
    const colon = text.indexOf(':');
    return colon < 0 ? null : { username: text.slice(0, colon).trim(), password: text.slice(colon + 1).trim() };
  } catch {
    return null;
  }
}
