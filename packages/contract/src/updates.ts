import { z } from 'zod';
import { defineCall, micros } from './core/call.ts';

/** Three numbers: X.Y.Z. */
export const releaseVersion = z
  .string()
  .max(32)
  .regex(/^\d+\.\d+\.\d+$/, 'Not a version: three numbers, as in 1.2.3');

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

export const updates = z.object({
  /** Version that runs now. */
  installed: z.string(),
  /** Whether the configuration names a folder of packages and a key. */
  isSet: z.boolean(),
  /** A whole sentence: why the folder or the key cannot be used. */
  problem: z.string().nullable(),
  /** Those that are newer than the installed version, the newest first. */
  packages: z.array(updatePackage),
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
