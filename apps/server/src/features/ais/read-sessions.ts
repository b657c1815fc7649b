import { type Classification, classificationRank } from '@osprey/contract';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { AisSource } from './sources.ts';

/** A page asks every few seconds: one that has not asked for so long has ended its reading. */
const OVER_MS = 60_000;
const LOOK_MS = 10_000;

type Open = { lastMs: number; itemId: string; label: Classification; audit: RequestAudit };

/**
 * Reads of ships above UNCLASSIFIED in the audit: for each account and platform or mission one row when it begins and one when
 * it ends, however often a page asks in between.
 */
export function aisReadSessions({
  nowMs,
  log,
}: {
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
}) {
  const open = new Map<string, Open>();
  const timer = setInterval(look, LOOK_MS);
  timer.unref();

  function look(): void {
    for (const [key, session] of open) {
      if (nowMs() - session.lastMs < OVER_MS) continue;
      open.delete(key);
      void close(session);
    }
  }

  async function close({ audit, itemId, label }: Open): Promise<void> {
    await audit
      .write({ action: 'ais.read', itemId, itemLabel: label, result: 'closed' })
      .catch((error) => log.warn({ error }, 'the end of a reading of AIS was not audited'));
  }

  return {
    /** Before the answer: a reading that cannot be audited is refused. */
    async read(actorId: string, sources: readonly AisSource[], audit: RequestAudit): Promise<void> {
      for (const { label, missionId, platformId } of sources) {
        const itemId = missionId ?? platformId;
        if (itemId === null || classificationRank(label) < 2) continue;
        const key = `${actorId} ${itemId}`;
        const known = open.get(key);
        if (known !== undefined && classificationRank(known.label) >= classificationRank(label)) {
          known.lastMs = nowMs();
          continue;
        }
        await audit.write({ action: 'ais.read', itemId, itemLabel: label, result: 'opened' });
        open.set(key, { lastMs: nowMs(), itemId, label, audit });
      }
    },
    async close(): Promise<void> {
      clearInterval(timer);
      const sessions = [...open.values()];
      open.clear();
      await Promise.all(sessions.map(close));
    },
  };
}

export type AisReadSessions = ReturnType<typeof aisReadSessions>;
