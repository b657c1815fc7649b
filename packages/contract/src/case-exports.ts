import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, flag, id, micros } from './core/call.ts';

/**
 * `WaitsForRelease`: another person has to release it before it is made, where the server asks for two and the label is
 * above UNCLASSIFIED. `Removed`: cancelled, removed or expired; its row stays in the list of versions.
 */
export const caseExportStates = ['WaitsForRelease', 'Making', 'Ready', 'Failed', 'Removed'] as const;

/** A version of a case as it was frozen and packed, shown to those who may read each of its parts. */
export const caseExport = z.object({
  _id: id,
  /** Number of the version in its case: 1, 2, ... */
  version: z.int(),
  created: micros,
  /** Name of the account that made it. */
  by: z.string(),
  /** Whether the caller made it. */
  own: z.boolean(),
  state: z.enum(caseExportStates),
  /** Percent, while it is made. */
  progress: z.number(),
  /** Why it failed, or why it was removed, as a sentence. */
  message: z.string().nullable(),
  sizeBytes: z.int().nullable(),
  /** Hash of the zip, in hex. */
  sha256: z.string().nullable(),
  fileName: z.string(),
  downloads: z.int(),
  parts: z.int(),
  comments: z.int(),
  /** Whether parts were left out because the maker could not read them. */
  leftOut: z.boolean(),
  /** Whether parts, their order, comments, name or description of the case have changed since. */
  differs: z.boolean(),
  /** When the package is removed automatically. */
  expires: micros,
  releasedBy: z.string().nullable(),
  /** Highest label of its parts when it was frozen. */
  securityClassification: classificationWord,
  /** Rights of the caller. */
  releasable: z.boolean(),
  removable: z.boolean(),
});
export type CaseExport = z.output<typeof caseExport>;

/** Preview of an export, shown by its dialog. */
export const caseExportPlan = z.object({
  /** Number of parts that the caller may read. */
  parts: z.int(),
  comments: z.int(),
  /** Clips among the parts. */
  clips: z.int(),
  leftOut: z.boolean(),
  /** Estimated size. */
  sizeBytes: z.int(),
  /** Whether a second person has to release it. */
  needsRelease: z.boolean(),
  /** SHA-256 of the public key that will sign it, in hex. */
  keyFingerprint: z.string(),
  /** Reasons why it cannot be made, as whole sentences. */
  refusals: z.array(z.string()),
});
export type CaseExportPlan = z.output<typeof caseExportPlan>;

const params = z.object({ id });
/** Clips as MP4 files too, which open by double click. */
const query = z.object({ mp4: flag.optional() });
const exportParams = z.object({ id, exportId: id });
const read = ['notSignedIn', 'notFound'] as const;
const write = [...read, 'forbidden', 'ruleRefused'] as const;

export const listCaseExports = defineCall({
  method: 'GET',
  path: '/cases/:id/exports',
  summary: 'Lists the exported versions of a case, newest first, if the caller may read every part',
  action: 'case.read',
  input: z.object({ params }),
  answer: z.array(caseExport),
  errors: read,
});

export const planCaseExport = defineCall({
  method: 'GET',
  path: '/cases/:id/exports/plan',
  summary: 'Returns what an export of the case would contain for the caller',
  action: 'case.export',
  input: z.object({ params, query }),
  answer: caseExportPlan,
  errors: [...read, 'forbidden'],
});

export const exportCase = defineCall({
  method: 'POST',
  path: '/cases/:id/exports',
  summary:
    'Freezes the case as its next version, and starts to pack it as one zip with a signed manifest. It is kept ' +
    'for 7 days',
  action: 'case.export',
  input: z.object({ params, query }),
  answer: caseExport,
  errors: [...write, 'revisionConflict', 'tooManyRequests', 'diskFull', 'quotaReached'],
});

export const releaseCaseExport = defineCall({
  method: 'POST',
  path: '/cases/:id/exports/:exportId/release',
  summary: 'Releases a version that somebody else froze, and starts to pack it',
  action: 'case.export',
  input: z.object({ params: exportParams }),
  answer: caseExport,
  errors: [...write, 'diskFull'],
});

export const downloadCaseExport = defineCall({
  method: 'GET',
  path: '/cases/:id/exports/:exportId/file',
  summary: 'Returns the zip, whole or a byte range',
  action: 'case.export',
  raw: 'media',
  input: z.object({ params: exportParams }),
  answer: z.unknown(),
  errors: [...write, 'rangeNotSatisfiable'],
});

export const removeCaseExport = defineCall({
  method: 'DELETE',
  path: '/cases/:id/exports/:exportId',
  summary: 'Cancels a waiting or running version, or removes its zip. For its author, the owner and admins',
  action: 'case.export',
  input: z.object({ params: exportParams }),
  answer: done,
  errors: write,
});

export const listSigningKeys = defineCall({
  method: 'GET',
  path: '/cases/keys',
  summary: 'Lists the public keys (Ed25519) that sign case packages and audit checkpoints, the present one first',
  action: 'case.list',
  input: z.object({}),
  answer: z.array(
    z.object({
      /** SHA-256 of the SubjectPublicKeyInfo, in hex. */
      fingerprint: z.string(),
      pem: z.string(),
      /** True for the key that signs now; others signed before. */
      current: z.boolean(),
    }),
  ),
  errors: ['notSignedIn'],
});
