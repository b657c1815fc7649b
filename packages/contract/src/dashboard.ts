import { z } from 'zod';
import { defineCall, done, flag } from './core/call.ts';

/** Seconds between two restarts. */
export const RESTART_EVERY_SECONDS = 60;

/** The figures of the admin page; a groupAdmin gets those of their own groups. */
export const dashboard = z.object({
  users: z.object({
    total: z.int(),
    superAdmins: z.int(),
    admins: z.int(),
    groupAdmins: z.int(),
    /** Users and the guest. */
    others: z.int(),
    /** Wait for approval, or were switched off. */
    disabled: z.int(),
    /** Accounts with an open page. */
    online: z.int(),
  }),
  usergroups: z.object({
    total: z.int(),
    withoutMembers: z.int(),
    /** With a ceiling of SECRET or above. */
    secret: z.int(),
    webRtc: z.int(),
    previewOnly: z.int(),
    /** Usergroups without either mode, which still have HLS. */
    hlsOnly: z.int(),
  }),
  platforms: z.object({
    total: z.int(),
    /** Recorded at this moment. */
    live: z.int(),
    sensors: z.int(),
    autostart: z.int(),
  }),
  /** Jobs that run or wait, and that failed. */
  jobs: z.object({ open: z.int(), failed: z.int() }),
});
export type Dashboard = z.output<typeof dashboard>;

export const getDashboard = defineCall({
  method: 'GET',
  path: '/dashboard',
  summary: 'Returns the figures of the admin page',
  action: 'system.read',
  input: z.object({}),
  answer: dashboard,
  errors: ['notSignedIn', 'forbidden'],
});

export const shutdown = defineCall({
  method: 'POST',
  path: '/shutdown',
  summary: 'Restarts the server with `restart`, at most once a minute. Uploads resume afterwards',
  action: 'server.restart',
  input: z.object({
    query: z.strictObject({
      restart: flag.optional(),
      /** Also what records: without it recordings go on. */
      force: flag.optional(),
    }),
  }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'tooManyRequests', 'ruleRefused', 'unavailable'],
});
