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
  /** The request had to prove its identity: a page that continues as the guest until then sends it without one. */
  provesIdentity?: boolean;
};

/** The audit as one request sees it: who asks, from where and with which credential is filled in. */
export type RequestAudit = {
  /** Resolves when the row is committed. */
  write: (note: AuditNote) => Promise<void>;
  /** For reads of content, before the first byte: a row for what is above UNCLASSIFIED, nothing for the rest. */
  read: (action: string, item: AuditedItem) => Promise<void>;
  /** Call it before a change: its row follows even if this process dies before `end`. */
  begin: (intents: AuditIntents, note: AuditNote) => Promise<{ end: () => void }>;
  /** Rows written through this object. */
  count: () => number;
};

export type Asking = { actor: Actor | null; session: string | null; address: string };

/** The `via` of a read: how it came past the groups. */
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
    async read(action, { id, securityClassification, usergroups }) {
      if (securityClassification === 'UNCLASSIFIED') return;
      await write({ action, itemId: id, itemLabel: securityClassification, usergroups });
    },
  };
}
