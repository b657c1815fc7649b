import { type Classification, classificationRank } from '@osprey/contract';
import type { RequestAudit } from './request-audit.ts';

/**
 * A reading ends after this time without a request, in milliseconds. Pages repeat the request every few seconds, or
 * every minute.
 */
const OVER_MS = 90_000;
const CHECK_MS = 10_000;

/** The item that is read: a mission or platform, with its label. */
export type ReadItem = { id: string; label: Classification };

type Open = ReadItem & { lastMs: number; audit: RequestAudit };

/**
 * Audits repeated reads of items above UNCLASSIFIED. For each account and item, one row is written when a reading
 * begins and one when it ends, however often the page repeats the request in between.
 */
export function readSessions({
  action,
  nowMs,
  log,
}: {
  action: string;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
}) {
  const open = new Map<string, Open>();
  const timer = setInterval(closeIdle, CHECK_MS);
  timer.unref();

  function closeIdle(): void {
    for (const [key, session] of open) {
      if (nowMs() - session.lastMs < OVER_MS) continue;
      open.delete(key);
      void close(session);
    }
  }

  async function close({ audit, id, label }: Open): Promise<void> {
    await audit
      .write({ action, itemId: id, itemLabel: label, result: 'closed' })
      .catch((error) => log.warn({ error, action }, 'the end of a reading was not audited'));
  }

  return {
    /** Must be called before the response is sent: a read that cannot be audited is refused. */
    async read(actorId: string, items: readonly ReadItem[], audit: RequestAudit): Promise<void> {
      for (const { id, label } of items) {
        if (classificationRank(label) < 2) continue;
        const key = `${actorId} ${id}`;
        const existing = open.get(key);
        if (existing !== undefined && classificationRank(existing.label) >= classificationRank(label)) {
          existing.lastMs = nowMs();
          continue;
        }
        await audit.write({ action, itemId: id, itemLabel: label, result: 'opened' });
        open.set(key, { lastMs: nowMs(), id, label, audit });
      }
    },
    /** Ends all readings when the server stops. */
    async close(): Promise<void> {
      clearInterval(timer);
      const sessions = [...open.values()];
      open.clear();
      await Promise.all(sessions.map(close));
    },
  };
}

export type ReadSessions = ReturnType<typeof readSessions>;
