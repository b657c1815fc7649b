import { createHash } from 'node:crypto';
import type { Actor, Classification } from '@osprey/contract';
import type { AuditNote, RequestAudit } from './request-audit.ts';

const CHECK_MS = 10 * 60_000;
const CACHED_MAX = 10_000;

export type AuditViews = ReturnType<typeof auditViews>;

type Look = {
  actor: Actor;
  /** The credential; null where there is none that lasts. */
  session: string | null;
  address: string;
  /** The call. */
  result: string;
  filter: object;
  /** The question, as the row has it. */
  asked?: Asked;
};

/** The filter in words, and the label of the item in it: who reads of the question must be allowed to know of it. */
export type Asked = { text: string; itemLabel: Classification | null };

/** A row of the audit for reading it: the call, and what was looked for. */
export const viewNote = (result: string, asked?: Asked): AuditNote => ({
  itemLabel: asked?.itemLabel ?? null,
  action: 'audit.read',
  result,
  ...(asked && asked.text !== '' && { reason: asked.text }),
});

/**
 * Looks at the trail, each a row of it. A page that stays open on a list asks again every few seconds: what one session
 * asks in the same words, from the same address and with the same rights within ten minutes is one look, or the trail
 * would be full of its own reading.
 *
 * @param nowMs of a clock that never goes back
 */
export function auditViews(nowMs: () => number) {
  /** When each look began, oldest first. */
  const begun = new Map<string, number>();

  function forget(): void {
    for (const [key, atMs] of begun) {
      if (nowMs() < atMs + CHECK_MS && begun.size < CACHED_MAX) return;
      begun.delete(key);
    }
  }

  return {
    /** Resolves when the row of the look is committed. */
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
