import { z } from 'zod';
import { classificationWord, role } from './access/labels.ts';
import { defineCall } from './core/call.ts';

/** Where in the page a person wanted to go: a path of ours, never another origin. */
const pagePath = z
  .string()
  .max(2048)
  .regex(/^\/(?![/\\])/, 'Not a path of this page');

/** Returns a redirect. */
export const startSingleSignOn = defineCall({
  method: 'GET',
  path: '/single-sign-on/start',
  summary: 'Redirects to the identity provider (OpenID Connect, code flow with PKCE)',
  action: 'public.use',
  input: z.object({
    query: z.object({
      from: pagePath.optional(),
      /** As of the log-in by password. */
      ceiling: classificationWord.optional(),
    }),
  }),
  answer: z.never(),
  errors: ['invalid', 'notFound', 'tooManyRequests', 'singleSignOnDown'],
  raw: 'media',
});

/** Returns a redirect to the login page, whose fragment says `single-sign-on=done` or `failed`. */
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
