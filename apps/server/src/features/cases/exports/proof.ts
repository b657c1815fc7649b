import { createPublicKey, sign } from 'node:crypto';
import type { Actor, Classification } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { HASHED_COLUMNS } from '../../../base/audit/chain.ts';
import { takeCheckpoint } from '../../../base/audit/checkpoints.ts';
import { requestAudit } from '../../../base/audit/request-audit.ts';
import { keyFingerprint, signingKey } from '../../../base/audit/signing-key.ts';
import { auditWriter } from '../../../base/audit/writer.ts';
import type { Database } from '../../../base/db/schema.ts';

/**
 * Name of a separate audit chain that contains only rows about packages. A checkpoint whose head is such a row proves
 * it to people who may see no other row of the audit.
 */
const NODE = 'cases';

export type ProofDeps = {
  db: Kysely<Database>;
  /** Directories of the audit. */
  directories: { keys: string; checkpoints: string };
  nowUs: () => number;
  log: { error: (fields: object, text: string) => void };
};

type Exported = {
  caseId: string;
  label: Classification;
  usergroups: readonly string[];
  version: number;
  /** Id of the account that released the export. */
  releasedBy: string | null;
  /** SHA-256 of the file SHA256SUMS, in hex. */
  sumsSha256: string;
  /** Fingerprint of the key that signs the package. */
  fingerprint: string;
};

/** The key pair that signs packages and checkpoints. */
export async function packageKeys({ directories }: Pick<ProofDeps, 'directories'>) {
  const { privateKey } = await signingKey(directories.keys);
  const publicKey = createPublicKey(privateKey);
  return {
    fingerprint: keyFingerprint(publicKey),
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (bytes: Uint8Array): Buffer => sign(null, bytes, privateKey),
  };
}

/**
 * Writes the audit row about the export of a version, and signs a checkpoint over it. Returns both, as contained in a
 * package's `audit.json`.
 *
 * @throws Error if another row of the same chain was written in between; the caller must try again
 */
export async function auditProofOf(deps: ProofDeps, actor: Actor, exported: Exported): Promise<object> {
  const { db, directories, nowUs, log } = deps;
  const audit = requestAudit(auditWriter({ db, node: NODE, log }), { actor, session: null, address: '' }, nowUs);
  await audit.write({
    action: 'case.exported',
    itemId: exported.caseId,
    itemLabel: exported.label,
    usergroups: exported.usergroups,
    result: `version ${exported.version}${exported.releasedBy === null ? '' : `, released by ${exported.releasedBy}`}`,
    reason: `SHA-256 of SHA256SUMS ${exported.sumsSha256}, key ${exported.fingerprint}`,
  });
  const checkpoint = await takeCheckpoint({
    db,
    key: await signingKey(directories.keys),
    file: directories.checkpoints,
    nowUs,
  });
  const row = await db
    .selectFrom('audit')
    .selectAll()
    .where('node', '=', NODE)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const head = checkpoint?.chains.find(({ node }) => node === NODE);
  if (row === undefined || head?.seq !== row.seq || !row.reason?.includes(exported.sumsSha256)) {
    throw new Error('The checkpoint does not end with the row of this export');
  }
  return {
    columns: HASHED_COLUMNS,
    row: { ...row, previous_hash: row.previous_hash.toString('hex'), hash: row.hash.toString('hex') },
    checkpoint,
  };
}
