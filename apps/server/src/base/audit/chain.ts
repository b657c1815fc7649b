import { createHash } from 'node:crypto';

/** One thing that happened, before it has its place in the chain. Ids only: no titles, passwords, tokens, positions. */
export type AuditEntry = {
  /** UTC microseconds, and milliseconds of the monotonic clock. */
  time: number;
  monotonic: number;
  actor_id: string | null;
  role: string | null;
  clearance: number | null;
  /** The credential that was used. */
  session: string | null;
  address: string | null;
  action: string;
  item_id: string | null;
  item_label: number | null;
  groups: string[] | null;
  decision: 'allowed' | 'refused';
  /** `allGroups` where a superAdmin read past the groups. */
  via: string | null;
  result: string | null;
  reason: string | null;
};

/** The table `audit`. One chain for each node. */
export type ChainedRow = AuditEntry & { node: string; seq: number; previous_hash: Buffer; hash: Buffer };

/** Where a chain ended at some moment; the hash in hex. */
export type ChainHead = { node: string; seq: number; hash: string };

export const GENESIS: Buffer = Buffer.alloc(32);

type HashedColumn = Exclude<keyof ChainedRow, 'previous_hash' | 'hash'>;

/** What a row's hash is made of, in this order, which is part of the format: rows are checked years later. */
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

/** Puts entries behind the last row of a node's chain. */
export function chained(node: string, last: { seq: number; hash: Buffer }, entries: readonly AuditEntry[]) {
  let { seq, hash } = last;
  return entries.map((entry): ChainedRow => {
    seq += 1;
    const row = { ...entry, node, seq, previous_hash: hash };
    hash = hashOf(row);
    return { ...row, hash };
  });
}
