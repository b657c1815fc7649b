import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, flag, id, micros } from './core/call.ts';

/**
 * State of an export. `WaitsForRelease`: another person has to release it before it is made, if the server requires two
 * persons and the label is above UNCLASSIFIED. `Removed`: cancelled, removed or expired; its row remains in the list of
 * versions.
 */
export const caseExportStates = ['WaitsForRelease', 'Making', 'Ready', 'Failed', 'Removed'] as const;

/**
 * A version of a case at the time it was frozen and packed. It is shown only to users who may read all of its parts.
 */
export const caseExport = z.object({
  _id: id,
  /** Number of the version in its case: 1, 2, ... */
  version: z.int(),
  created: micros,
  /** Name of the account that created it. */
  by: z.string(),
  /** Whether the caller created it. */
  own: z.boolean(),
  state: z.enum(caseExportStates),
  /** Progress in percent, while it is being made. */
  progress: z.number(),
  /** Sentence that explains why it failed or was removed. */
  message: z.string().nullable(),
  sizeBytes: z.int().nullable(),
  /** SHA-256 of the zip, in hex. */
  sha256: z.string().nullable(),
  fileName: z.string(),
  downloads: z.int(),
  parts: z.int(),
  comments: z.int(),
  /** Whether parts were omitted because its creator could not read them. */
  leftOut: z.boolean(),
  /** Whether parts, their order, comments, name or description of the case have changed since. */
  differs: z.boolean(),
  /** Time at which the package is removed automatically. */
  expires: micros,
  releasedBy: z.string().nullable(),
  /** Highest label of its parts at the time it was frozen. */
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
  /** Number of clips among the parts. */
  clips: z.int(),
  leftOut: z.boolean(),
  /** Estimated size in bytes. */
  sizeBytes: z.int(),
  /** Whether a second person has to release the export. */
  needsRelease: z.boolean(),
  /** SHA-256 of the public key that will sign the export, in hex. */
  keyFingerprint: z.string(),
  /** Reasons why the export cannot be made, as complete sentences. */
  refusals: z.array(z.string()),
});
export type CaseExportPlan = z.output<typeof caseExportPlan>;

const params = z.object({ id });
/** Also includes clips as MP4 files, which open by double click. */
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
      /** True for the current signing key; the others signed earlier packages. */
      current: z.boolean(),
    }),
  ),
  errors: ['notSignedIn'],
});
