import { z } from 'zod';
import { defineCall, done, flag } from './core/call.ts';

/** Minimum number of seconds between two restarts. */
export const RESTART_EVERY_SECONDS = 60;

/** Figures of the admin page; for a groupAdmin they are limited to the administered groups. */
export const dashboard = z.object({
  users: z.object({
    total: z.int(),
    superAdmins: z.int(),
    admins: z.int(),
    groupAdmins: z.int(),
    /** Number of accounts with role user, and the guest. */
    others: z.int(),
    /** Number of accounts that wait for approval, or were disabled. */
    disabled: z.int(),
    /** Number of accounts with an open page. */
    online: z.int(),
  }),
  usergroups: z.object({
    total: z.int(),
    withoutMembers: z.int(),
    /** Number of user groups with a ceiling of SECRET or above. */
    secret: z.int(),
    webRtc: z.int(),
    previewOnly: z.int(),
    /** Number of user groups without either of these modes, which still have HLS. */
    hlsOnly: z.int(),
  }),
  platforms: z.object({
    total: z.int(),
    /** Number of platforms being recorded now. */
    live: z.int(),
    sensors: z.int(),
    autostart: z.int(),
  }),
  /** Numbers of jobs that are running or waiting, and of failed jobs. */
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
      /** Also restarts the recorder; otherwise recordings continue. */
      force: flag.optional(),
    }),
  }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'tooManyRequests', 'ruleRefused', 'unavailable'],
});
