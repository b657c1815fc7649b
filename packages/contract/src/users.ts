import { z } from 'zod';
import { classification, classificationWord, role } from './access/labels.ts';
import { defineCall, done, flag, id, list, micros } from './core/call.ts';
import { PASSWORD_MAX, SEARCH_MAX } from './core/limits.ts';
import { optionalPage } from './core/page.ts';

/**
 * Username; trimmed. Commas are not allowed, since they separate names in DELETE users?users=, nor are colons, which
 * end the name in a Basic header.
 */
export const username = z
  .string()
  .trim()
  .min(1, 'Username is required')
  .max(64)
  .regex(/^[^,:\p{C}]*$/u, 'Commas, colons and control characters are not allowed');

export const password = z.string().trim().min(1, 'Password is required').max(PASSWORD_MAX);

export const email = z.email('Not a valid email address').max(254);

const personal = (what: string) => z.string().trim().min(1, `${what} is required`).max(100);

/**
 * Body of POST users: exactly these seven fields. Any other field is refused, so that accounts cannot assign themselves
 * a role.
 */
export const newUser = z.strictObject({
  username,
  password,
  email,
  country: personal('Country'),
  first_name: personal('First name'),
  last_name: personal('Last name'),
  company: personal('Organization'),
});
export type NewUser = z.output<typeof newUser>;

/**
 * `waiting`: registered but not yet approved. `invited`: has no password yet, and can set one through a link. Accounts
 * in these two states and `disabled` ones cannot log in.
 */
export const accountStates = ['active', 'invited', 'waiting', 'disabled'] as const;
export type AccountState = (typeof accountStates)[number];

export const user = z.object({
  _id: id,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  company: z.string(),
  email: z.string(),
  country: z.string(),
  authorizationRole: role,
  securityClearance: classificationWord,
  usergroups: z.array(id),
  usergroupsAdmin: z.array(id),
  disabled: z.boolean(),
  state: z.enum(accountStates),
  /** Whether log-in also requires a code from an authenticator app. */
  secondFactor: z.boolean(),
  /** Number of open pages. */
  onlineCount: z.int(),
  registered: micros,
  lastAccess: micros.nullable(),
});
export type User = z.output<typeof user>;

export const userSorts = [
  'username',
  'name',
  'company',
  'email',
  'country',
  'role',
  'clearance',
  'registered',
  'lastAccess',
] as const;

export const userFilter = z.object({
  /** Words to find in username, names, company and email; matched literally. */
  search: z.string().max(SEARCH_MAX).optional(),
  roles: list().pipe(z.array(role)).optional(),
  states: list()
    .pipe(z.array(z.enum(accountStates)))
    .optional(),
  /** Restricts the list to members and administrators of any of these groups. */
  usergroups: list().pipe(z.array(id)).optional(),
  /** Restricts the list to accounts that currently have a page open. */
  online: flag.optional(),
  sort: z.enum(userSorts.flatMap((key) => [key, `-${key}`] as const)).optional(),
  ...optionalPage,
});
export type UserFilter = z.output<typeof userFilter>;

export const listUsers = defineCall({
  method: 'GET',
  path: '/users',
  summary:
    'Lists accounts by name; a groupAdmin gets those of the groups they administer. Without `limit` all of them; ' +
    'with it one page: the next cursor is in X-Next-After and, with count=1, the number of all in X-Total-Count',
  action: 'user.list',
  input: z.object({ query: userFilter }),
  answer: z.array(user),
  errors: ['invalid', 'notSignedIn', 'forbidden'],
});

export const getUser = defineCall({
  method: 'GET',
  path: '/users/:id',
  summary: 'Returns one account',
  action: 'user.read',
  input: z.object({ params: z.object({ id }) }),
  answer: user,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});

export const userExists = defineCall({
  method: 'GET',
  path: '/users/exists/:username',
  summary: 'Returns whether a name is taken, while registration is on',
  action: 'public.use',
  input: z.object({ params: z.object({ username: z.string().max(256) }) }),
  answer: z.object({ exists: z.boolean() }),
  errors: ['notFound', 'tooManyRequests'],
});

export const createUser = defineCall({
  method: 'POST',
  path: '/users',
  lasting: true,
  summary: 'Registers an account while registration is on, or adds one for callers who may add accounts',
  // Public, since strangers may register. If the request carries a credential, the handler also checks `user.create`.
  action: 'public.use',
  input: z.object({ body: newUser }),
  answer: z.object({ _id: id, username: z.string(), disabled: z.boolean(), message: z.string() }),
  errors: [
    'invalid',
    'passwordTooShort',
    'passwordTooCommon',
    'notFound',
    'forbidden',
    'userNameTaken',
    'tooManyRequests',
  ],
});

const rank = z
  .union([
    classificationWord,
    z
      .string()
      .regex(/^[1-5]$/)
      .transform(Number),
  ])
  .pipe(classification);

const userChange = z.strictObject({
  usergroups: list().pipe(z.array(id)).optional(),
  usergroupsAdmin: list().pipe(z.array(id)).optional(),
  firstName: z.string().max(100).optional(),
  lastName: z.string().max(100).optional(),
  company: z.string().max(100).optional(),
  email: email.optional(),
  country: z.string().max(100).optional(),
  securityClearance: rank.optional(),
  authorizationRole: role.optional(),
  disabled: flag.optional(),
});
export type UserChange = z.output<typeof userChange>;

const changeUser = {
  action: 'user.update',
  input: z.object({ params: z.object({ id }), query: userChange }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'unknownUsergroup'],
} as const;

export const updateUser = defineCall({
  method: 'PUT',
  path: '/users/:id',
  summary: 'Changes an account by query parameters and keeps omitted ones',
  ...changeUser,
});

export const updateUserByPost = defineCall({
  method: 'POST',
  path: '/users/:id',
  summary: 'Changes an account as PUT users/{id} does',
  ...changeUser,
});

export const resetPassword = defineCall({
  method: 'PUT',
  path: '/users/:id/password',
  lasting: true,
  summary: 'Sets a new password for another account and revokes all its credentials',
  action: 'user.resetPassword',
  input: z.object({ params: z.object({ id }), body: z.strictObject({ password }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'passwordTooShort', 'passwordTooCommon'],
});

/** Maximum number of accounts in one bulk change. */
export const BULK_USERS_MAX = 500;

export const changeUsers = defineCall({
  method: 'PUT',
  path: '/users',
  summary: 'Changes several accounts, all or none: adds them to groups, removes them, enables or disables them',
  action: 'user.update',
  input: z.object({
    body: z.strictObject({
      users: z.array(id).min(1).max(BULK_USERS_MAX),
      add: z.array(id).max(BULK_USERS_MAX).default([]),
      remove: z.array(id).max(BULK_USERS_MAX).default([]),
      disabled: z.boolean().optional(),
    }),
  }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'unknownUsergroup'],
});

export const deleteUsers = defineCall({
  method: 'DELETE',
  path: '/users',
  summary:
    'Deletes accounts by name, comma separated. Sign-in, groups and personal data are deleted; id and name stay ' +
    'and are not given again',
  action: 'user.delete',
  input: z.object({ query: z.strictObject({ users: list() }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound'],
});
