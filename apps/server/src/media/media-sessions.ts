import type { Actor } from '@osprey/contract';
import type { AuditedItem, RequestAudit } from '../audit/request-audit.ts';

/** A viewer who asks for nothing so long has stopped. */
const IDLE_MS = 60_000;
const LOOK_MS = 10_000;

type MediaSession = {
  audit: RequestAudit;
  mission: AuditedItem;
  sensorId: string;
  bytes: number;
  /** Part of the file that was asked for, in bytes: from the first to the last. */
  first: number;
  last: number;
  lastMs: number;
  /** The row of the beginning: no byte flows before it is committed. */
  begun: Promise<void>;
};

export type MediaSessions = ReturnType<typeof mediaSessions>;

/**
 * Reads of media for the audit and the user activity: one row when a viewer begins with a sensor, before the first byte
 * of what is above UNCLASSIFIED, and one when they have stopped, with how much they got.
 */
export function mediaSessions({ nowMs, log }: { nowMs: () => number; log: { warn: (f: object, t: string) => void } }) {
  const sessions = new Map<string, MediaSession>();
  const timer = setInterval(() => void endWhere((one) => nowMs() - one.lastMs > IDLE_MS), LOOK_MS);
  timer.unref();

  type Reading = {
    actor: Actor;
    /** Credential or address: what tells two viewers of one account apart. */
    via: string;
    /** Or the platform of a live view. */
    mission: AuditedItem;
    sensorId: string;
    audit: RequestAudit;
  };

  /**
   * Resolves when the read may begin: what is above UNCLASSIFIED waits for its row in the audit.
   *
   * @throws AppError unavailable when that row cannot be written
   */
  async function read(
    { actor, via, mission, sensorId, audit }: Reading,
    range: [number, number] | null,
  ): Promise<void> {
    const key = `${actor.id} ${via} ${sensorId} ${mission.securityClassification}`;
    let session = sessions.get(key);
    if (session === undefined) {
      const begun = audit.write({
        action: 'media.begin',
        itemId: mission.id,
        itemLabel: mission.securityClassification,
        usergroups: mission.usergroups,
        result: `sensor ${sensorId}`,
      });
      session = { audit, mission, sensorId, bytes: 0, first: Number.MAX_SAFE_INTEGER, last: 0, lastMs: nowMs(), begun };
      sessions.set(key, session);
      begun.catch(() => sessions.delete(key));
    }
    session.lastMs = nowMs();
    if (range) {
      session.bytes += range[1] - range[0];
      session.first = Math.min(session.first, range[0]);
      session.last = Math.max(session.last, range[1]);
    }
    if (mission.securityClassification !== 'UNCLASSIFIED') await session.begun;
  }

  async function endWhere(isOver: (session: MediaSession) => boolean): Promise<void> {
    const over = [...sessions].filter(([, session]) => isOver(session));
    for (const [key] of over) sessions.delete(key);
    await Promise.all(over.map(([, session]) => writeEnd(session)));
  }

  async function writeEnd({ audit, mission, sensorId, bytes, first, last }: MediaSession): Promise<void> {
    const seen = bytes === 0 ? '' : `; from ${first} to ${last}`;
    await audit
      .write({
        action: 'media.end',
        itemId: mission.id,
        itemLabel: mission.securityClassification,
        usergroups: mission.usergroups,
        result: `sensor ${sensorId}; ${bytes} bytes${seen}`,
      })
      .catch((error) => log.warn({ error }, 'end of a media session not written'));
  }

  return {
    read,
    /** Ends all of them, when the server stops. */
    async close(): Promise<void> {
      clearInterval(timer);
      await endWhere(() => true);
    },
  };
}
