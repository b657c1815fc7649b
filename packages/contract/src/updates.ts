import { z } from 'zod';
import { defineCall, done, micros } from './core/call.ts';

/** Three numbers: X.Y.Z. */
export const releaseVersion = z
  .string()
  .max(32)
  .regex(/^\d+\.\d+\.\d+$/, 'Not a version: three numbers, as in 1.2.3');

/** Minutes that a new version has to become healthy before the old one comes back. */
export const UPDATE_HEALTHY_MINUTES = 5;

export const updatePackage = z.object({
  version: releaseVersion,
  /** When it was made, by its manifest; null while that is not believed. */
  created: micros.nullable(),
  sizeBytes: z.int().nullable(),
  /** `checking`: the signature is good, and the archive is being compared with it. */
  state: z.enum(['checking', 'valid', 'refused']),
  /** A whole sentence: why it is refused. */
  reason: z.string().nullable(),
});
export type UpdatePackage = z.output<typeof updatePackage>;

/** Steps in their order; during the last one the server restarts and returns no calls. */
export const updateSteps = ['unpacking', 'backup', 'restarting'] as const;

export const runningUpdate = z.object({
  from: z.string(),
  version: releaseVersion,
  step: z.enum(updateSteps),
  /** 0 to 100 of the step; null where that is not known. */
  progress: z.number().nullable(),
});
export type RunningUpdate = z.output<typeof runningUpdate>;

export const updateResult = z.object({
  from: z.string(),
  version: releaseVersion,
  /** `failed`: before the new version was started. `rolledBack`: it did not become healthy. */
  result: z.enum(['done', 'failed', 'rolledBack']),
  /** A whole sentence: why; null where all went well. */
  reason: z.string().nullable(),
  time: micros,
  /** Backup from which the database was put back, as the new version had changed its form. */
  restored: z.string().nullable(),
});
export type UpdateResult = z.output<typeof updateResult>;

export const updates = z.object({
  /** Version that runs now. */
  installed: z.string(),
  /** Whether the configuration names a folder of packages and a key. */
  isSet: z.boolean(),
  /** A whole sentence: why the folder or the key cannot be used. */
  problem: z.string().nullable(),
  /** Packages that are newer than the installed version, the newest first. */
  packages: z.array(updatePackage),
  running: runningUpdate.nullable(),
  /** How the last update went. */
  last: updateResult.nullable(),
});
export type Updates = z.output<typeof updates>;

export const getUpdates = defineCall({
  method: 'GET',
  path: '/updates',
  summary: 'Lists newer versions in the folder of update packages, each valid or refused with the reason',
  action: 'health.details',
  input: z.object({}),
  answer: updates,
  errors: ['notSignedIn', 'forbidden'],
});

export const update = defineCall({
  method: 'POST',
  path: '/update',
  summary:
    'Updates the server to a version from a signed package, after a backup, and goes back to the old version if the ' +
    'new one does not become healthy. 404 while no source of updates is set',
  action: 'server.update',
  input: z.object({ query: z.strictObject({ version: releaseVersion }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused', 'unavailable'],
});
