/**
 * An event for the audit, before its place in the chain is known. Contains only ids: no titles, passwords, tokens or
 * positions.
 */
export type AuditEntry = {
  /** `time` is in UTC microseconds, `monotonic` in milliseconds of the monotonic clock. */
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
  /** `allGroups` if a superAdmin read an item of groups they do not belong to. */
  via: string | null;
  result: string | null;
  reason: string | null;
};

/** A row of the table `audit`. Each node has its own chain. */
export type ChainedRow = AuditEntry & { node: string; seq: number; previous_hash: Buffer; hash: Buffer };

/** Last row of a chain at some moment, with its hash in hex. */
export type ChainHead = { node: string; seq: number; hash: string };
