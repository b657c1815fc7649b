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
