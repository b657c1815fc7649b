import { z } from 'zod';
import { classification, classificationWord, role } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { API_CREDENTIAL_DAYS_MAX, NAME_MAX, PASSWORD_MAX } from './core/limits.ts';
import { secondFactorCode } from './core/second-factor-code.ts';
import { usergroup } from './usergroups.ts';
import { password, username } from './users.ts';

/**
 * Limit of a session that sees less than its account may. `by`: the ceiling chosen at log-in, or that of the address at
 * which the server listens, which no log-in raises.
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
      /** Where the account has a second factor. */
      code: secondFactorCode.optional(),
      /** The highest label that the session may see, whatever the account may; another log-in alone raises it. */
      ceiling: classification.optional(),
    }),
  }),
  answer: z.object({
    role,
    /** Sent in place of the password: in the Basic header, next to the username. */
    credential: z.string(),
    username: z.string(),
    /**
     * Sent when this login activated a second factor: each code opens the account once in place of a code of the app.
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
    /** The highest label that this session sees. */
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
  /** Browser and address it was made from, for recognising it. */
  client: z.string(),
  address: z.string(),
  /** The credential that asked. */
  current: z.boolean(),
  /** Made for a program: `client` is the name it was given; it does not expire while unused. */
  forScript: z.boolean(),
  /** Where its session has one. */
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
      /** Until it ends. */
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
    /** OSPREY_GUEST decided already: the page does not ask. */
    guestFixed: z.boolean(),
    /** ffmpeg is there, so sample missions can be made. */
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
