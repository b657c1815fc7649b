import { z } from 'zod';
import { classificationWord, role } from './access/labels.ts';
import { defineCall, id, idOrName, list, micros, moment } from './core/call.ts';
import { page } from './core/page.ts';

/**
 * One action of an account, a read or a refusal. Only ids are stored; the names are those that the caller may see now.
 */
export const auditRow = z.object({
  /** Chain of the row (the process that wrote it), and the row's number in it. */
  node: z.string(),
  seq: z.int(),
  time: micros,
  /** Null for requests without sign-in, and for commands given on the server itself (then `address` is "console"). */
  actor: z.object({ _id: id, username: z.string() }).nullable(),
  /** Role and clearance at that moment. */
  role: role.nullable(),
  clearance: classificationWord.nullable(),
  session: z.string().nullable(),
  address: z.string().nullable(),
  action: z.string(),
  /** `name` is null if the item was deleted, or is hidden from the caller. */
  item: z.object({ _id: id, name: z.string().nullable() }).nullable(),
  /** Sensor of the row; null if there is none, it was deleted, or its item is hidden from the caller. */
  sensorName: z.string().nullable(),
  /** Label and user groups of the item at that moment. */
  itemLabel: classificationWord.nullable(),
  usergroups: z.array(id).nullable(),
  outcome: z.enum(['allowed', 'refused']),
  /** `allGroups` if a superAdmin read an item outside of their own user groups. */
  via: z.string().nullable(),
  result: z.string().nullable(),
  reason: z.string().nullable(),
});
export type AuditRow = z.output<typeof auditRow>;

const filterFields = {
  start: moment.optional(),
  end: moment.optional(),
  /** A user by id or name. */
  actor: idOrName.optional(),
  /** Exact names of actions, as listed by GET /audit/actions. */
  actions: list(50).optional(),
  /** Id of any item; missions, users and user groups also by name. */
  item: idOrName.optional(),
  outcome: auditRow.shape.outcome.optional(),
};

export const auditFilter = z.object(filterFields);
export type AuditFilter = z.output<typeof auditFilter>;

const errors = ['invalid', 'notSignedIn', 'forbidden'] as const;

export const listAudit = defineCall({
  method: 'GET',
  path: '/audit',
  summary:
    'Lists audit rows, newest first, as one page. The next cursor is in X-Next-After and, with count=1, the ' +
    'number of all in X-Total-Count. A caller cleared for less than the installation holds gets rows up to their ' +
    'own clearance',
  action: 'audit.read',
  input: z.object({
    query: z.object({
      ...filterFields,
      ...page,
    }),
  }),
  answer: z.array(auditRow),
  errors,
});

export const listAuditActions = defineCall({
  method: 'GET',
  path: '/audit/actions',
  summary: 'Lists the names of the actions in the audit, for filtering',
  action: 'audit.read',
  input: z.object({}),
  answer: z.array(z.string()),
  errors: ['notSignedIn', 'forbidden'],
});

export const auditFormats = ['ndjson', 'csv'] as const;

export const exportAudit = defineCall({
  method: 'GET',
  path: '/audit/export',
  summary:
    'Exports the rows that match the filter with their hashes, oldest first within each chain, and the signed ' +
    'checkpoints, as a file. `npm run audit -- verify` reads the NDJSON form',
  action: 'audit.read',
  input: z.object({ query: z.object({ ...filterFields, format: z.enum(auditFormats).default('ndjson') }) }),
  answer: z.unknown(),
  errors,
  raw: 'media',
});

/** Fault in one chain. `seq` is the number of the first row that differs from the original, or is missing. */
export const auditFault = z.object({
  node: z.string(),
  seq: z.int(),
  kind: z.enum(['changed', 'missing', 'tailMissing', 'rewritten', 'badCheckpoint']),
  /** Complete sentence. */
  text: z.string(),
});
export type AuditFault = z.output<typeof auditFault>;

export const auditVerification = z.object({
  holds: z.boolean(),
  rows: z.int(),
  checkpoints: z.int(),
  /** Time at which the newest checkpoint was signed; null before the first one. */
  lastCheckpoint: micros.nullable(),
  faults: z.array(auditFault),
  durationMs: z.number(),
});
export type AuditVerification = z.output<typeof auditVerification>;

export const verifyAudit = defineCall({
  method: 'GET',
  path: '/audit/verify',
  summary: 'Verifies every chain and every checkpoint, and names the first row that was changed, removed or added',
  action: 'audit.read',
  input: z.object({}),
  answer: auditVerification,
  errors: ['notSignedIn', 'forbidden'],
});
