import { z } from 'zod';
import { defineCall, done, micros } from './core/call.ts';

/** Release version: three numbers, X.Y.Z. */
export const releaseVersion = z
  .string()
  .max(32)
  .regex(/^\d+\.\d+\.\d+$/, 'Not a version: three numbers, as in 1.2.3');

/** Number of minutes in which a new version must become healthy; otherwise the old version is restored. */
export const UPDATE_HEALTHY_MINUTES = 5;

export const updatePackage = z.object({
  version: releaseVersion,
  /** Creation time according to the package's manifest; null until the manifest has been verified. */
  created: micros.nullable(),
  sizeBytes: z.int().nullable(),
  /** `checking`: the signature is valid, and the archive is being verified against it. */
  state: z.enum(['checking', 'valid', 'refused']),
  /** Reason for the refusal, as a whole sentence. */
  reason: z.string().nullable(),
});
export type UpdatePackage = z.output<typeof updatePackage>;

/** Steps in order. During the last one the server restarts and does not respond to calls. */
export const updateSteps = ['unpacking', 'backup', 'restarting'] as const;

export const runningUpdate = z.object({
  from: z.string(),
  version: releaseVersion,
  step: z.enum(updateSteps),
  /** Progress of the step in percent (0 to 100); null if unknown. */
  progress: z.number().nullable(),
});
export type RunningUpdate = z.output<typeof runningUpdate>;

export const updateResult = z.object({
  from: z.string(),
  version: releaseVersion,
  /**
   * `failed`: the update failed before the new version was started. `rolledBack`: the new version did not become
   * healthy.
   */
  result: z.enum(['done', 'failed', 'rolledBack']),
  /** Reason for the failure, as a whole sentence; null if the update succeeded. */
  reason: z.string().nullable(),
  time: micros,
  /** Backup from which the database was restored, because the new version had changed its schema. */
  restored: z.string().nullable(),
});
export type UpdateResult = z.output<typeof updateResult>;

export const updates = z.object({
  /** Version that is currently running. */
  installed: z.string(),
  /** Whether the configuration names a package folder and a key. */
  isSet: z.boolean(),
  /** Reason why the folder or the key cannot be used, as a whole sentence. */
  problem: z.string().nullable(),
  /** Packages that are newer than the installed version, newest first. */
  packages: z.array(updatePackage),
  running: runningUpdate.nullable(),
  /** Result of the last update. */
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
