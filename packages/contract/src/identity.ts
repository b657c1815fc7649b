import { z } from 'zod';
import { classification, classificationWord, role } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { API_CREDENTIAL_DAYS_MAX, NAME_MAX, PASSWORD_MAX } from './core/limits.ts';
import { secondFactorCode } from './core/second-factor-code.ts';
import { usergroup } from './usergroups.ts';
import { password, username } from './users.ts';

/**
 * Limit of a session that sees less than its account is cleared for. `by` names the cause: the ceiling chosen at log-in
 * (`login`), or the ceiling of the address that the server listens on (`listener`), which no log-in can raise.
 */
const sessionLimit = z.object({ label: classificationWord, by: z.enum(['login', 'listener']) });
export type SessionLimit = z.output<typeof sessionLimit>;

export const login = defineCall({
  method: 'POST',
  path: '/login',
  lasting: true,
  summary: 'Exchanges a password for a device credential and sets its cookie',
  action: 'public.use',
  input: z.object({
    body: z.strictObject({
      username: z.string().trim().min(1).max(64),
      password: z.string().trim().min(1).max(PASSWORD_MAX),
      /** Second-factor code; needed only if the account has a second factor. */
      code: secondFactorCode.optional(),
      /**
       * Highest label that the session may see, even if the account is cleared for more. Only a new log-in can raise
       * it.
       */
      ceiling: classification.optional(),
    }),
  }),
  answer: z.object({
    role,
    /** Credential to send instead of the password in the Basic header, next to the username. */
    credential: z.string(),
    username: z.string(),
    /**
     * Present if this login activated a second factor. Each recovery code can be used once, instead of a code from the
     * authenticator app.
     */
    recoveryCodes: z.array(z.string()).optional(),
  }),
  errors: [
    'forbidden',
    'invalid',
    'unauthorized',
    'plainHttp',
    'secondFactorNeeded',
    'secondFactorSetUpNeeded',
    'wrongSecondFactor',
    'tooManyRequests',
    'unavailable',
  ],
});

export const logout = defineCall({
  method: 'POST',
  path: '/logout',
  summary: 'Revokes the credential of this session and deletes its cookie',
  action: 'session.use',
  input: z.object({}),
  answer: done,
  errors: ['notSignedIn'],
});

export const guestSession = defineCall({
  method: 'POST',
  path: '/login/guest',
  lasting: true,
  summary: 'Opens a session as guest, where guests are allowed',
  action: 'public.use',
  input: z.object({}),
  answer: z.object({ role, credential: z.string(), username: z.string() }),
  errors: ['forbidden', 'unauthorized', 'tooManyRequests'],
});

export const authenticated = defineCall({
  method: 'GET',
  path: '/users/authenticated',
  summary: 'Returns the account of the caller',
  action: 'session.use',
  input: z.object({}),
  answer: z.object({
    _id: id,
    role,
    username: z.string(),
    /** Highest label that this session may see. */
    securityClearance: classificationWord,
    limit: sessionLimit.optional(),
  }),
  errors: ['unauthorized', 'notSignedIn', 'tooManyRequests'],
});

export const ownGroups = defineCall({
  method: 'GET',
  path: '/users/groups',
  summary: 'Lists the usergroups of the caller, and those they administer',
  action: 'session.use',
  input: z.object({}),
  answer: z.object({ usergroups: z.array(usergroup), usergroupsAdmin: z.array(usergroup) }),
  errors: ['notSignedIn'],
});

export const changeOwnPassword = defineCall({
  method: 'PUT',
  path: '/users/password',
  lasting: true,
  summary: "Changes the caller's password and revokes all other credentials of the account",
  action: 'account.own',
  input: z.object({ body: z.strictObject({ oldPassword: z.string().max(PASSWORD_MAX), newPassword: password }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'unauthorized', 'passwordTooShort', 'passwordTooCommon'],
});

export const credential = z.object({
  _id: id,
  created: micros,
  lastUsed: micros,
  expires: micros,
  /**
   * Browser from which the credential was created (`client`) and its network address (`address`), so that the owner can
   * recognise it.
   */
  client: z.string(),
  address: z.string(),
  /** True for the credential with which this request was made. */
  current: z.boolean(),
  /**
   * True if the credential was made for a program: `client` is then the name given to it, and it does not expire while
   * unused.
   */
  forScript: z.boolean(),
  /** Ceiling of the credential's session, if it has one. */
  ceiling: classificationWord.optional(),
});
export type Credential = z.output<typeof credential>;

export const listCredentials = defineCall({
  method: 'GET',
  path: '/credentials',
  summary: "Lists the device credentials of the caller's account",
  action: 'account.own',
  input: z.object({}),
  answer: z.array(credential),
  errors: ['notSignedIn', 'forbidden'],
});

export const createApiCredential = defineCall({
  method: 'POST',
  path: '/credentials',
  lasting: true,
  summary:
    'Creates a credential for a program, to use in its Basic header in place of the password. It is shown once, and ' +
    'sees no more than this session',
  action: 'account.own',
  input: z.object({
    body: z.strictObject({
      name: z.string().trim().min(1, 'A name is required').max(NAME_MAX),
      /** Number of days until the credential expires. */
      days: z.int().min(1).max(API_CREDENTIAL_DAYS_MAX),
    }),
  }),
  answer: z.object({ _id: id, username: z.string(), credential: z.string() }),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'ruleRefused'],
});

export const revokeCredential = defineCall({
  method: 'DELETE',
  path: '/credentials/:id',
  summary: "Revokes one device credential of the caller's account",
  action: 'account.own',
  input: z.object({ params: z.object({ id }) }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});

export const createTicket = defineCall({
  method: 'POST',
  path: '/tickets',
  summary: 'Creates a ticket for one socket, valid once and for 30 s',
  action: 'session.use',
  input: z.object({}),
  answer: z.object({ ticket: z.string() }),
  errors: ['notSignedIn'],
});

export const getSetup = defineCall({
  method: 'GET',
  path: '/setup',
  summary: 'Returns whether the server still waits for its first superAdmin',
  action: 'public.use',
  input: z.object({}),
  answer: z.object({
    needed: z.boolean(),
    /** True if OSPREY_GUEST already decides whether guests are allowed, so that the setup page need not ask. */
    guestFixed: z.boolean(),
    /** True if ffmpeg is available, which is needed to make sample missions. */
    samplesPossible: z.boolean(),
    passwordMin: z.int(),
  }),
  errors: [],
});

export const runSetup = defineCall({
  method: 'POST',
  path: '/setup',
  lasting: true,
  summary: 'Creates the first superAdmin. Needs the one-time code from the console',
  action: 'public.use',
  input: z.object({
    body: z.strictObject({
      code: z.string().max(64),
      username,
      password,
      guests: z.boolean().default(false),
      samples: z.boolean().default(false),
    }),
  }),
  answer: z.object({ role, credential: z.string(), username: z.string() }),
  errors: [
    'forbidden',
    'invalid',
    'wrongSetupCode',
    'alreadySetUp',
    'userNameTaken',
    'passwordTooShort',
    'passwordTooCommon',
    'tooManyRequests',
  ],
});
