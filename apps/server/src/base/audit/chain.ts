import { createHash } from 'node:crypto';
import type { AuditEntry, ChainedRow } from '../db/audit-rows.ts';

export const GENESIS: Buffer = Buffer.alloc(32);

type HashedColumn = Exclude<keyof ChainedRow, 'previous_hash' | 'hash'>;

/**
 * Columns that a row's hash covers, in this order. The order is part of the format, since rows are still verified years
 * later.
 */
export const HASHED_COLUMNS = [
  'node',
  'seq',
  'time',
  'monotonic',
  'actor_id',
  'role',
  'clearance',
  'session',
  'address',
  'action',
  'item_id',
  'item_label',
  'groups',
  'decision',
  'via',
  'result',
  'reason',
] as const satisfies readonly HashedColumn[];

/** SHA-256 over the previous hash and the row as a JSON list of its columns. */
export function hashOf(row: Omit<ChainedRow, 'hash'>): Buffer {
  const canonical = JSON.stringify(HASHED_COLUMNS.map((column) => row[column]));
  return createHash('sha256').update(row.previous_hash).update(canonical).digest();
}

/** Adds number, previous hash and hash to entries, so that they continue a node's chain. */
export function chained(node: string, last: { seq: number; hash: Buffer }, entries: readonly AuditEntry[]) {
  let { seq, hash } = last;
  return entries.map((entry): ChainedRow => {
    seq += 1;
    const row = { ...entry, node, seq, previous_hash: hash };
    hash = hashOf(row);
    return { ...row, hash };
  });
}
