import { secretBox } from '../base/access/secret-box.ts';
import type { Http } from '../base/http/call-route.ts';
import { type MediaTokens, mediaTokens } from '../base/items/media-token.ts';
import { type CheckLogin, loginCheck } from '../features/identity/check-login.ts';
import { type Credentials, credentialRepository } from '../features/identity/credentials.ts';
import { type PasswordHashes, passwordHashes } from '../features/identity/password-hashes.ts';
import { type PasswordLogin, passwordLogin } from '../features/identity/password-login.ts';
import { type CheckPassword, passwordPolicy } from '../features/identity/password-policy.ts';
import { identityRoutes } from '../features/identity/routes.ts';
import { type SecondFactors, secondFactors } from '../features/identity/second-factor.ts';
import { secondFactorRoutes } from '../features/identity/second-factor-routes.ts';
import { type SecondStep, secondStep } from '../features/identity/second-step.ts';
import { setupRoutes } from '../features/identity/setup.ts';
import { type Tickets, ticketOffice } from '../features/identity/tickets.ts';
import type { Seats } from '../features/licence/seats.ts';
import { isProgramThere } from '../features/system/checks.ts';
import type { Usergroups } from '../features/usergroups/repository.ts';
import type { Users } from '../features/users/repository.ts';
import type { Dependencies } from './dependencies.ts';
import type { Samples } from './samples.ts';
import { serveSingleSignOn } from './single-sign-on.ts';

/** Derives the key of one purpose from the secret of the installation. */
export type KeyFor = (purpose: string) => Buffer;

export type Identity = {
  credentials: Credentials;
  hashes: PasswordHashes;
  checkLogin: CheckLogin;
  passwordLogin: PasswordLogin;
  checkPassword: CheckPassword;
  factors: SecondFactors;
  step: SecondStep;
  tickets: Tickets;
  mediaTokens: MediaTokens;
};

/**
 * Opens all means of proving an identity: passwords, second factors, credentials, tickets for sockets, and media
 * tokens.
 */
export function openIdentity({ db, config, items, nowUs, nowMs }: Dependencies, keyFor: KeyFor): Identity {
  const credentials = credentialRepository({ db, nowUs });
  const hashes = passwordHashes({ nowMs });
  const checkLogin = loginCheck({ db, hashes, nowMs });
  const factors = secondFactors({
    db,
    box: secretBox(keyFor('secondFactor')),
    codeKey: keyFor('recoveryCodes'),
    issuer: config.serverName,
    demandedOf: config.secondFactorOf,
    nowUs,
  });
  // Based on the monotonic clock, so that setting back the wall clock does not make an expired token valid again.
  const begunMs = nowUs() / 1000 - nowMs();
  return {
    credentials,
    hashes,
    checkLogin,
    passwordLogin: passwordLogin(checkLogin),
    checkPassword: passwordPolicy(config.passwordMin),
    factors,
    step: secondStep({ factors, nowMs }),
    tickets: ticketOffice({ isGood: credentials.isGood, nowMs }),
    mediaTokens: mediaTokens({ key: keyFor('media'), items, nowMs: () => Math.floor(begunMs + nowMs()) }),
  };
}

type Options = {
  http: Http;
  dependencies: Dependencies;
  identity: Identity;
  seats: Seats;
  guestAllowed: () => Promise<boolean>;
  usergroups: Pick<Usergroups, 'byId'>;
  users: Pick<Users, 'facts' | 'update'>;
  setUp: {
    /** One-time code printed on the console; null if a superAdmin exists. */
    code: string | null;
    done: () => void;
  };
} & Samples;

/** Serves login and logout, the own password, second factors, single sign-on, and the set-up of a fresh installation. */
export function serveIdentity(options: Options): { sweep: () => Promise<unknown> } {
  const { http, dependencies, identity, seats, guestAllowed, usergroups, users, setUp, samples } = options;
  const { db, config, log, events, nowMs } = dependencies;
  const { credentials, hashes, checkLogin, passwordLogin, checkPassword, factors, step, tickets } = identity;
  const { admit, leave } = seats;
  identityRoutes({
    ...http,
    db,
    credentials,
    tickets,
    hashes,
    checkLogin,
    passwordLogin,
    step,
    checkPassword,
    guestAllowed,
    usergroupsById: usergroups.byId,
    admit,
    listenCeiling: config.listenCeiling,
    leave,
    nowMs,
  });
  secondFactorRoutes({ ...http, factors, step, passwordLogin, credentials, accountFacts: users.facts });
  serveSingleSignOn({
    http,
    config,
    db,
    credentials,
    updateUser: users.update,
    admit,
    changed: events.changed,
    log,
    nowMs,
  });
  setupRoutes({
    ...http,
    db,
    credentials,
    hashes,
    checkPassword,
    passwordMin: config.passwordMin,
    setupCode: setUp.code,
    guestFixed: config.guest,
    samplesPossible: () => isProgramThere('ffmpeg'),
    makeSamples: (userId) => void samples.make(userId),
    setUpDone: setUp.done,
    admit,
    listenCeiling: config.listenCeiling,
    nowMs,
  });
  return { sweep: credentials.sweep };
}
