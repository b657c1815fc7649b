import { createHash } from 'node:crypto';
import type { Actor, Classification } from '@osprey/contract';
import type { AuditNote, RequestAudit } from './request-audit.ts';

const CHECK_MS = 10 * 60_000;
const CACHED_MAX = 10_000;

export type AuditViews = ReturnType<typeof auditViews>;

type Look = {
  actor: Actor;
  /** Id of the credential; null if the request has no lasting one. */
  session: string | null;
  address: string;
  /** The request that was made. */
  result: string;
  filter: object;
  /** The search that was made, as the audit row shows it. */
  asked?: Asked;
};

/**
 * The filter in words, and the label of the item named in it, since readers of the row must be allowed to know of that
 * item.
 */
export type Asked = { text: string; itemLabel: Classification | null };

/** Returns the audit row for a look at the audit: the request, and its search. */
export const viewNote = (result: string, asked?: Asked): AuditNote => ({
  itemLabel: asked?.itemLabel ?? null,
  action: 'audit.read',
  result,
  ...(asked && asked.text !== '' && { reason: asked.text }),
});

/**
 * Writes an audit row for each look at the audit. A page that stays open on a list repeats its request every few
 * seconds: equal requests of one session, from the same address and with the same rights, count as one look for ten
 * minutes, since the audit would otherwise fill up with its own reading.
 *
 * @param nowMs returns the time of a monotonic clock
 */
export function auditViews(nowMs: () => number) {
  /** Start time of each look, oldest first. */
  const begun = new Map<string, number>();

  function forget(): void {
    for (const [key, atMs] of begun) {
      if (nowMs() < atMs + CHECK_MS && begun.size < CACHED_MAX) return;
      begun.delete(key);
    }
  }

  return {
    /** Resolves when the look's audit row is committed. */
    async note(audit: RequestAudit, { actor, session, address, result, filter, asked }: Look): Promise<void> {
      forget();
      const facts = [session, address, actor.role, actor.clearance, result, filter];
      const key = createHash('sha256').update(JSON.stringify(facts)).digest('base64');
      if (session !== null && begun.has(key)) return;
      await audit.write(viewNote(result, asked));
      begun.set(key, nowMs());
    },
  };
}
