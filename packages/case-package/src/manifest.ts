import { z } from 'zod';

/** Size of the blocks that have a checksum of their own: a change is located to within one block. */
export const BLOCK_BYTES = 1024 * 1024;
/** Longest manifest that is read: a package of 1 TB has a manifest of about 70 MB. */
export const MANIFEST_MAX_BYTES = 96 * 1024 * 1024;
export const FILES_MAX = 20_000;
const PATH_MAX = 240;

export const MANIFEST_PATH = 'manifest.json';
export const SIGNATURE_PATH = 'manifest.sig';
export const KEY_PATH = 'signing-key.pem';
export const SUMS_PATH = 'SHA256SUMS';
export const AUDIT_PATH = 'audit.json';
/** Sum of `audit.json`, which names that of `SHA256SUMS` and so cannot be in it. */
export const AUDIT_SUMS_PATH = 'SHA256SUMS.audit';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Whether a relative path is valid on every file system, and cannot leave its folder. */
export const isPlainPath = (path: string): boolean =>
  path.length > 0 &&
  path.length <= PATH_MAX &&
  !/[\\:\p{Cc}]/u.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

const listedFile = z.object({
  path: z.string().refine(isPlainPath),
  sizeBytes: z.int().nonnegative(),
  /** Hash of the whole file, in hex. */
  sha256,
  /** Hash of each MiB in order, the last one shorter; empty for an empty file. */
  blocks: z.array(sha256),
});
export type ListedFile = z.output<typeof listedFile>;

/**
 * `manifest.json`: what a package holds and whose it is. `manifest.sig` is the Ed25519 signature (64 bytes) over its bytes
 * as they are, so they begin with `{`: what the same key signs of the audit begins with another text.
 */
export const caseManifest = z.object({
  format: z.literal('osprey-case'),
  formatVersion: z.literal(1),
  case: z.object({ id: z.guid(), number: z.int().positive(), name: z.string(), version: z.int().positive() }),
  /** The highest of all that is in it. */
  label: z.string(),
  maker: z.string(),
  /** The second person who approved the export, where two are needed; otherwise null. */
  releasedBy: z.string().nullable(),
  /** ISO 8601, UTC. */
  made: z.string(),
  server: z.object({ name: z.string(), version: z.string() }),
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER), in hex. */
  keyFingerprint: sha256,
  blockBytes: z.literal(BLOCK_BYTES),
  /** Every file but the manifest and its signature. */
  files: z.array(listedFile).max(FILES_MAX),
});
export type CaseManifest = z.output<typeof caseManifest>;

const chained = z.object({
  node: z.string(),
  seq: z.int().positive(),
  previous_hash: sha256,
  hash: sha256,
  action: z.string(),
  item_id: z.string().nullable(),
  result: z.string().nullable(),
  reason: z.string().nullable(),
});

/** `audit.json`: the row of the audit that says that this was exported, and the checkpoint that was signed over it. */
export const auditProof = z.object({
  /** Columns whose values the hash of the row is made of, in their order. */
  columns: z.array(z.string()).min(1).max(64),
  row: z.looseObject(chained.shape),
  checkpoint: z.object({
    number: z.int().positive(),
    /** UTC microseconds. */
    time: z.int(),
    chains: z.array(z.object({ node: z.string(), seq: z.int(), hash: sha256 })),
    key: z.string(),
    signature: z.string(),
  }),
});
export type AuditProof = z.output<typeof auditProof>;
