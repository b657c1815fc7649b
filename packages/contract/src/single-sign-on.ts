import { z } from 'zod';
import { classificationWord, role } from './access/labels.ts';
import { defineCall } from './core/call.ts';

/** Page that the user wanted to open: a path of this site, never another origin. */
const pagePath = z
  .string()
  .max(2048)
  .regex(/^\/(?![/\\])/, 'Not a path of this page');

/** Starts a single sign-on. The answer is a redirect. */
export const startSingleSignOn = defineCall({
  method: 'GET',
  path: '/single-sign-on/start',
  summary: 'Redirects to the identity provider (OpenID Connect, code flow with PKCE)',
  action: 'public.use',
  input: z.object({
    query: z.object({
      from: pagePath.optional(),
      /** Highest label of the session, as in the log-in by password. */
      ceiling: classificationWord.optional(),
    }),
  }),
  answer: z.never(),
  errors: ['invalid', 'notFound', 'tooManyRequests', 'singleSignOnDown'],
  raw: 'media',
});

/**
 * Finishes a single sign-on. The answer is a redirect to the login page, whose fragment is `single-sign-on=done` or
 * `single-sign-on=failed`.
 */
export const finishSingleSignOn = defineCall({
  method: 'GET',
  path: '/single-sign-on/callback',
  summary: 'Receives the browser from the identity provider',
  action: 'public.use',
  input: z.object({}),
  answer: z.never(),
  errors: ['notFound'],
  raw: 'media',
});

export const openSingleSignOn = defineCall({
  method: 'POST',
  path: '/single-sign-on/session',
  lasting: true,
  summary: 'Returns the device credential of a completed sign-in, once and to the same browser',
  action: 'public.use',
  input: z.object({}),
  answer: z.object({ role, credential: z.string(), username: z.string(), from: pagePath.nullable() }),
  errors: ['forbidden', 'notFound', 'unauthorized'],
});
