import { type Actor, type Classification, classificationRank } from '@osprey/contract';
import type { AuditEntry } from '../db/audit-rows.ts';
import { type AuditAbout, aboutColumns } from './about.ts';
import type { AuditIntents } from './intents.ts';
import type { AuditWriter } from './writer.ts';

export type AuditedItem = { id: string; securityClassification: Classification; usergroups: readonly string[] };

export type AuditNote = AuditAbout & {
  action: string;
  usergroups?: readonly string[];
  decision?: 'allowed' | 'refused';
  result?: string;
  reason?: string;
  /**
   * True for requests that prove an identity, such as a sign-in. Pages send them while they still act as the guest, so
   * a guest is then not recorded as the actor.
   */
  provesIdentity?: boolean;
};

/** The audit as seen by one request: actor, address and credential are filled in automatically. */
export type RequestAudit = {
  /** Resolves when the row is committed. */
  write: (note: AuditNote) => Promise<void>;
  /**
   * Audits a read of content; call it before the first byte is sent. Writes a row for items above UNCLASSIFIED and none
   * for others.
   */
  read: (action: string, item: AuditedItem, result?: string) => Promise<void>;
  /** Must be called before a change. The audit row is then written even if this process dies before `end`. */
  begin: (intents: AuditIntents, note: AuditNote) => Promise<{ end: () => void }>;
  /** Returns the number of rows written through this object. */
  count: () => number;
};

export type Asking = { actor: Actor | null; session: string | null; address: string };

/** Returns the `via` column of a read: `allGroups` if a superAdmin read an item of groups they do not belong to. */
export function viaOf(actor: Actor | null, usergroups: readonly string[]): string | null {
  if (actor?.role !== 'superAdmin') return null;
  return actor.groups.some(({ _id }) => usergroups.includes(_id)) ? null : 'allGroups';
}

export function requestAudit(
  writer: AuditWriter,
  { actor, session, address }: Asking,
  nowUs: () => number,
): RequestAudit {
  let count = 0;
  let isKept = true;

  function entryOf(note: AuditNote): AuditEntry {
    const by = note.provesIdentity && actor?.role === 'guest' ? null : actor;
    return {
      time: nowUs(),
      monotonic: Math.round(performance.now()),
      actor_id: by?.id ?? null,
      role: by?.role ?? null,
      clearance: by ? classificationRank(by.clearance) : null,
      session,
      address,
      action: note.action,
      ...aboutColumns(note),
      decision: note.decision ?? 'allowed',
      via: note.usergroups ? viaOf(actor, note.usergroups) : null,
      result: note.result ?? null,
      reason: note.reason ?? null,
    };
  }

  async function write(note: AuditNote): Promise<void> {
    count += 1;
    try {
      await writer.write(entryOf(note));
    } catch (error) {
      isKept = false;
      throw error;
    }
  }

  return {
    write,
    count: () => count,
    async begin(intents, note) {
      const id = await intents.begin(entryOf(note));
      return { end: () => isKept && intents.end(id) };
    },
    async read(action, { id, securityClassification, usergroups }, result) {
      if (securityClassification === 'UNCLASSIFIED') return;
      const item = { itemId: id, itemLabel: securityClassification, usergroups };
      await write({ action, ...item, ...(result !== undefined && { result }) });
    },
  };
}
