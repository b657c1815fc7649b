import { z } from 'zod';
import { classification, role } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { email, password, username } from './users.ts';

/** Validity of a link for setting a password, in milliseconds. */
export const PASSWORD_LINK_MS = 24 * 3_600_000;

/** Sent only once: the page `/reset#{token}` takes the token, and the server stores only its hash. */
const passwordLink = z.object({ userId: id, username: z.string(), token: z.string(), expires: micros });
export type PasswordLink = z.output<typeof passwordLink>;

const optionalText = z.string().trim().max(100).default('');

export const inviteUser = defineCall({
  method: 'POST',
  path: '/users/invitations',
  lasting: true,
  summary: 'Creates an account without a password, and returns the link by which its owner sets one within 24 h',
  action: 'user.create',
  input: z.object({
    body: z.strictObject({
      username,
      email: z.union([z.literal(''), email]).default(''),
      country: optionalText,
      first_name: optionalText,
      last_name: optionalText,
      company: optionalText,
      authorizationRole: role.default('user'),
      securityClearance: classification.default('UNCLASSIFIED'),
      /** The group Demo is added automatically. */
      usergroups: z.array(id).max(500).default([]),
      usergroupsAdmin: z.array(id).max(500).default([]),
    }),
  }),
  answer: passwordLink,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'userNameTaken', 'unknownUsergroup'],
});

export const resetByLink = defineCall({
  method: 'POST',
  path: '/users/:id/link',
  lasting: true,
  summary:
    'Deletes the password of an account, ends its sessions, and returns the link by which its owner sets a new ' +
    'one within 24 h. Earlier links are no longer valid',
  action: 'user.resetPassword',
  input: z.object({ params: z.object({ id }) }),
  answer: passwordLink,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});

const token = z.string().min(1).max(128);

export const lookAtPasswordLink = defineCall({
  method: 'POST',
  path: '/reset/look',
  summary: 'Returns the account of a password link. The link stays valid',
  action: 'public.use',
  input: z.object({ body: z.strictObject({ token }) }),
  answer: z.object({ username: z.string(), expires: micros, passwordMin: z.int() }),
  errors: ['invalid', 'linkNotGood', 'tooManyRequests'],
});

export const usePasswordLink = defineCall({
  method: 'POST',
  path: '/reset',
  lasting: true,
  summary: 'Sets the password of the account of the link. The link is used up, and all credentials are revoked',
  action: 'public.use',
  input: z.object({ body: z.strictObject({ token, password }) }),
  answer: done.extend({ username: z.string() }),
  errors: [
    'forbidden',
    'invalid',
    'linkNotGood',
    'passwordTooShort',
    'passwordTooCommon',
    'plainHttp',
    'tooManyRequests',
    'unavailable',
  ],
});
