import { z } from 'zod';
import { classificationWord, role } from './access/labels.ts';
import { defineCall, done, id, list, micros, moment } from './core/call.ts';
import { page } from './core/page.ts';

/** Kinds of activity, derived from the action of the audit row. */
export const activityKinds = ['session', 'watched', 'opened', 'exported', 'changed'] as const;
export type ActivityKind = (typeof activityKinds)[number];

export const activityRow = z.object({
  /** Key of the audit row: the process that wrote it, and its number. */
  node: z.string(),
  seq: z.int(),
  time: micros,
  user: z.object({ _id: id, username: z.string() }).nullable(),
  role: role.nullable(),
  kind: z.enum(activityKinds),
  /** Action of the audit row. */
  action: z.string(),
  /** `name` is null if the item was deleted, or is hidden from the reader. */
  item: z.object({ _id: id, name: z.string().nullable() }).nullable(),
  /** Sensor of the row; null if there is none, it was deleted, or its item is hidden from the reader. */
  sensorName: z.string().nullable(),
  itemLabel: classificationWord.nullable(),
  address: z.string().nullable(),
  /** Browser or program; null once the session has ended. */
  client: z.string().nullable(),
  outcome: z.enum(['allowed', 'refused']),
  result: z.string().nullable(),
});
export type ActivityRow = z.output<typeof activityRow>;

const filterFields = {
  start: moment.optional(),
  end: moment.optional(),
  users: list().pipe(z.array(id)).optional(),
  /** Id of a mission, an account or another item. */
  item: id.optional(),
  kinds: list()
    .pipe(z.array(z.enum(activityKinds)))
    .optional(),
  outcome: z.enum(['allowed', 'refused']).optional(),
};
export const activityFilter = z.object(filterFields);
export type ActivityFilter = z.output<typeof activityFilter>;

const errors = ['invalid', 'notSignedIn', 'forbidden'] as const;

export const listActivity = defineCall({
  method: 'GET',
  path: '/activity',
  summary:
    'Lists what people did, newest first, as one page. The next cursor is in X-Next-After and, with count=1, the ' +
    'number of all rows in X-Total-Count. Rows above the clearance of the reader are left out; a groupAdmin gets ' +
    'those of the accounts they administer',
  action: 'activity.read',
  input: z.object({
    query: z.object({
      ...filterFields,
      ...page,
    }),
  }),
  answer: z.array(activityRow),
  errors,
});

export const exportActivity = defineCall({
  method: 'GET',
  path: '/activity/export',
  summary: 'Exports the same rows as a file, newest first, at most 100,000',
  action: 'activity.read',
  input: z.object({ query: z.object({ ...filterFields, format: z.enum(['csv', 'json']).default('csv') }) }),
  answer: z.unknown(),
  errors,
  raw: 'media',
});

export const openSession = z.object({
  _id: id,
  user: z.object({ _id: id, username: z.string() }),
  role,
  created: micros,
  lastUsed: micros,
  expires: micros,
  client: z.string(),
  address: z.string(),
  /** Number of open pages in this session. */
  pages: z.int(),
  /** Page names reported by the browser, only as a hint. */
  status: z.string().nullable(),
  /** Whether this is the session of the request. */
  current: z.boolean(),
});
export type OpenSession = z.output<typeof openSession>;

export const listSessions = defineCall({
  method: 'GET',
  path: '/sessions',
  summary: 'Lists open sessions of the accounts that the caller sees',
  action: 'activity.read',
  input: z.object({ query: z.object({ users: list().pipe(z.array(id)).optional() }) }),
  answer: z.array(openSession),
  errors,
});

export const endSessions = defineCall({
  method: 'DELETE',
  path: '/sessions',
  summary: 'Ends sessions, all or none, and closes their credentials, sockets and media within a second',
  action: 'user.endSession',
  input: z.object({ query: z.strictObject({ sessions: list().pipe(z.array(id).min(1)) }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound'],
});

export const userMessage = z.object({
  /** Id of the message, the same in every answer. */
  _id: z.string(),
  time: micros,
  /** Complete sentence. */
  text: z.string(),
});
export type UserMessage = z.output<typeof userMessage>;

export const listUserMessages = defineCall({
  method: 'GET',
  path: '/usermessages',
  summary:
    'Lists what others did to the account of the caller in the last 30 days, newest first, at most 100. The guest ' +
    'gets none',
  action: 'session.use',
  input: z.object({}),
  answer: z.array(userMessage),
  errors: ['notSignedIn'],
});
