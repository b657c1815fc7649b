import { type Kysely, sql } from 'kysely';
import { isSigned } from '../../base/audit/checkpoint.ts';
import { chainHeads, toCheckpoint } from '../../base/audit/checkpoints.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { PublicKeys } from '../../base/audit/signing-key.ts';
import type { Database } from '../../base/db/schema.ts';

const DAY_US = 24 * 3600 * 1_000_000;

export type AuditRetention = {
  /**
   * Database connection as the owner of the schema, since the account of the processes can only append to the audit.
   */
  db: Kysely<Database>;
  keys: PublicKeys;
  keepDays: number;
  nowUs: () => number;
  audit: Pick<RequestAudit, 'write'>;
};

type Stretch = { node: string; seq: number; number: number };

/**
 * Removes rows older than `keepDays`: in each chain, the rows up to a signed checkpoint. The checkpoint stays and
 * proves the row that follows. A chain always keeps the rows after its last checkpoint, so that it continues. The
 * removal is recorded in the audit before it happens. Returns the number of removed rows.
 */
export async function removeOldAudit({ db, keys, keepDays, nowUs, audit }: AuditRetention): Promise<number> {
  const before = nowUs() - keepDays * DAY_US;
  const stretches: Stretch[] = [];
  for (const { node, seq: last } of await chainHeads(db)) {
    const stretch = await findExpiredRows(db, { node, last, before, keys });
    if (stretch !== null) stretches.push(stretch);
  }
  if (stretches.length === 0) return 0;
  const spans = stretches.map(({ node, seq, number }) => `${node} up to row ${seq} (checkpoint ${number})`);
  await audit.write({ action: 'audit.remove', result: spans.join(', ') });
  return db.transaction().execute(async (tx) => {
    let removed = 0n;
    for (const { node, seq } of stretches) {
      const old = tx.deleteFrom('audit').where('node', '=', node).where('seq', '<=', seq);
      removed += (await old.executeTakeFirst()).numDeletedRows;
    }
    return Number(removed);
  });
}

type Requested = { node: string; last: number; before: number; keys: PublicKeys };

/**
 * Finds the newest checkpoint of a chain before the given time that is not the chain's last row. Its signature and the
 * time of its row are checked as well; otherwise an attacker who can insert a checkpoint with an old date could cause
 * new rows to be removed.
 */
async function findExpiredRows(db: Kysely<Database>, { node, last, before, keys }: Requested): Promise<Stretch | null> {
  const head = sql`jsonb_array_elements(chains) head where head->>'node' = ${node} and (head->>'seq')::bigint < ${last}`;
  const row = await db
    .selectFrom('audit_checkpoints')
    .selectAll()
    .where('time', '<', before)
    .where(sql<boolean>`exists (select from ${head})`)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || !isSigned(toCheckpoint(row), keys)) return null;
  const seq = row.chains.find((chain) => chain.node === node)?.seq ?? 0;
  const end = await db
    .selectFrom('audit')
    .select('time')
    .where('node', '=', node)
    .where('seq', '=', seq)
    .executeTakeFirst();
  return end !== undefined && end.time < before ? { node, seq, number: row.number } : null;
}
