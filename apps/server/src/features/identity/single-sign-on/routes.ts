import {
  type Actor,
  AppError,
  type Classification,
  finishSingleSignOn,
  openSingleSignOn,
  startSingleSignOn,
} from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../../base/access/actors.ts';
import { type Http, publicCallRoute } from '../../../base/http/call-route.ts';
import { windowLimit } from '../../../base/http/rate-limit.ts';
import type { Credentials } from '../credentials.ts';
import { openSession } from '../open-session.ts';
import type { signOnAccounts } from './accounts.ts';
import { flowStore } from './flows.ts';
import type { Flow, IdentityProvider } from './provider.ts';

const COOKIE = 'osprey_sign_on';
const COOKIE_PATH = '/api/single-sign-on';
const STARTS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

export type SingleSignOnDeps = Http & {
  /** Null if no provider is configured; all calls then return 404. */
  provider: IdentityProvider | null;
  accounts: ReturnType<typeof signOnAccounts>;
  credentials: Credentials;
  /** Returns whether the licence allows this account to sign in. */
  admit: (actor: Actor, how: { signsIn: boolean }) => boolean;
  listenCeiling: Classification;
  changed: (noun: 'users', ids: string[]) => void;
  log: { warn: (fields: object, text: string) => void };
  nowMs: () => number;
};

type Entry = { from: string | null; ceiling: Classification | undefined } & (
  | { at: 'provider'; flow: Flow }
  | { at: 'signedIn'; account: Account }
);

/**
 * Routes for sign-in at the site's identity provider: the redirect to it, the return, and the session, which only the
 * same browser gets.
 */
export function singleSignOnRoutes(deps: SingleSignOnDeps): void {
  const flows = flowStore<Entry>(deps);
  const starts = windowLimit({ limit: STARTS_PER_MINUTE, windowMs: MINUTE_MS, nowMs: deps.nowMs });

  function configured(): IdentityProvider {
    if (deps.provider === null) throw new AppError('notFound');
    return deps.provider;
  }

  publicCallRoute(deps, startSingleSignOn, async ({ input: { query }, request, reply }) => {
    const provider = configured();
    starts.take(request.ip);
    const { address, flow } = await provider.begin(callbackOf(request));
    setFlowCookie(
      request,
      reply,
      flows.open({ at: 'provider', flow, from: query.from ?? null, ceiling: query.ceiling }),
    );
    return leave(reply, address);
  });

  publicCallRoute(deps, finishSingleSignOn, async ({ request, reply, audit }) => {
    const provider = configured();
    const cookie = request.cookies[COOKIE];
    const entry = flows.take(cookie);
    const refuse = async (error: unknown, result: string, subject: string | null) => {
      deps.log.warn({ error }, 'single sign-on failed');
      await audit.write({ action: 'login', subject, decision: 'refused', result, provesIdentity: true });
      return leave(reply, '/login#single-sign-on=failed');
    };
    try {
      if (cookie === undefined || entry?.at !== 'provider') throw new Error('No sign-in is under way in this browser');
      const { search } = new URL(request.url, 'http://localhost');
      const signedIn = await provider.finish(new URL(callbackOf(request) + search), entry.flow);
      const entered = await deps.accounts.enter(signedIn);
      if (entered.account === null) {
        return await refuse(new Error('The account may not enter'), entered.why, entered.userId);
      }
      const { account, made } = entered;
      if (made) await audit.write({ action: 'user.create', subject: account.actor.id });
      deps.changed('users', [account.actor.id]);
      flows.replace(cookie, { at: 'signedIn', account, from: entry.from, ceiling: entry.ceiling });
      return leave(reply, '/login#single-sign-on=done');
    } catch (error) {
      return refuse(error, 'singleSignOn', null);
    }
  });

  publicCallRoute(deps, openSingleSignOn, async ({ request, reply }) => {
    configured();
    const entry = flows.take(request.cookies[COOKIE]);
    reply.clearCookie(COOKIE, { path: COOKIE_PATH });
    if (entry?.at !== 'signedIn') throw new AppError('unauthorized');
    const session = await openSession(deps, { account: entry.account, ceiling: entry.ceiling, request, reply });
    return { ...session, from: entry.from };
  });
}

/** The host has already been checked against the list of this server's hosts. */
const callbackOf = ({ protocol, host }: FastifyRequest) => `${protocol}://${host}${COOKIE_PATH}/callback`;

/** SameSite is lax, since the browser must send the cookie when the provider redirects it back. */
function setFlowCookie({ protocol }: FastifyRequest, reply: FastifyReply, value: string): void {
  const secure = protocol === 'https';
  reply.setCookie(COOKIE, value, { path: COOKIE_PATH, httpOnly: true, sameSite: 'lax', secure, maxAge: 600 });
}

/** Redirects directly, since a redirect has no response in the contract. */
function leave(reply: FastifyReply, address: string): never {
  reply.header('cache-control', 'no-store').redirect(address);
  return undefined as never;
}
