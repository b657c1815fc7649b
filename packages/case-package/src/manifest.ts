import { z } from 'zod';

/** Size of the blocks that have their own checksums, so that a change can be located to within one block, in bytes. */
export const BLOCK_BYTES = 1024 * 1024;
/** Maximum size of a manifest that is read, in bytes. A package of 1 TB has a manifest of about 70 MB. */
export const MANIFEST_MAX_BYTES = 96 * 1024 * 1024;
export const FILES_MAX = 20_000;
const PATH_MAX = 240;

export const MANIFEST_PATH = 'manifest.json';
export const SIGNATURE_PATH = 'manifest.sig';
export const KEY_PATH = 'signing-key.pem';
export const SUMS_PATH = 'SHA256SUMS';
export const AUDIT_PATH = 'audit.json';
/** Checksum file for `audit.json`, which contains the hash of `SHA256SUMS` and therefore cannot be listed in it. */
export const AUDIT_SUMS_PATH = 'SHA256SUMS.audit';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Whether a relative path is valid on every file system, and cannot leave its folder. */
export const isSafeRelativePath = (path: string): boolean =>
  path.length > 0 &&
  path.length <= PATH_MAX &&
  !/[\\:\p{Cc}]/u.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

const listedFile = z.object({
  path: z.string().refine(isSafeRelativePath),
  sizeBytes: z.int().nonnegative(),
  /** Hash of the whole file, in hex. */
  sha256,
  /** Hash of each MiB in order, the last one shorter; empty for an empty file. */
  blocks: z.array(sha256),
});
export type ListedFile = z.output<typeof listedFile>;

/**
 * `manifest.json`: content and origin of a package. `manifest.sig` is the Ed25519 signature (64 bytes) over its exact
 * bytes. These always begin with `{`, whereas the audit checkpoints signed by the same key begin with another text, so
 * that one signature cannot be mistaken for the other.
 */
export const caseManifest = z.object({
  format: z.literal('osprey-case'),
  formatVersion: z.literal(1),
  case: z.object({ id: z.guid(), number: z.int().positive(), name: z.string(), version: z.int().positive() }),
  /** Highest label of all content. */
  label: z.string(),
  maker: z.string(),
  /** Second person who approved the export, if two are required; otherwise null. */
  releasedBy: z.string().nullable(),
  /** Time of the export (ISO 8601, UTC). */
  made: z.string(),
  server: z.object({ name: z.string(), version: z.string() }),
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER), in hex. */
  keyFingerprint: sha256,
  blockBytes: z.literal(BLOCK_BYTES),
  /** Every file except the manifest and its signature. */
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

/** `audit.json`: the audit row that records this export, and the checkpoint that was signed over it. */
export const auditProof = z.object({
  /** Columns whose values are hashed for the row, in order. */
  columns: z.array(z.string()).min(1).max(64),
  row: z.looseObject(chained.shape),
  checkpoint: z.object({
    number: z.int().positive(),
    /** Time in UTC microseconds. */
    time: z.int(),
    chains: z.array(z.object({ node: z.string(), seq: z.int(), hash: sha256 })),
    key: z.string(),
    signature: z.string(),
  }),
});
export type AuditProof = z.output<typeof auditProof>;
