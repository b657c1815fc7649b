import type { Actor } from '@osprey/contract';
import { auditedItem } from '../../base/audit/item-notes.ts';
import type { AuditedItem, RequestAudit } from '../../base/audit/request-audit.ts';

/** Time without a request after which a viewer counts as stopped, in milliseconds. */
const IDLE_MS = 60_000;
const CHECK_MS = 10_000;

/** Maximum distance from 1970 that a date can represent, in microseconds. */
const TIME_MAX_US = 8.64e18;

/** First and last moment, in UTC microseconds. */
export type Span = readonly [fromUs: number, toUs: number];

export type Fetched = {
  bytes: number;
  /** When the sensor recorded the content; `now` for live content, null if unknown. */
  contentSpan: Span | 'now' | null;
};

type MediaSession = {
  audit: RequestAudit;
  mission: AuditedItem;
  sensorId: string;
  bytes: number;
  begunUs: number;
  contentSpan: Span | null;
  lastMs: number;
  /** Resolves when the audit row of the start is committed; no byte is sent before. */
  begun: Promise<void>;
};

export type MediaSessionsDeps = {
  nowMs: () => number;
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

export type MediaSessions = ReturnType<typeof mediaSessions>;

/**
 * Writes reads of media to the audit log and to the user activity: one row when a viewer starts to read a sensor,
 * before the first byte of content above UNCLASSIFIED, and one when the viewer has stopped, with the number of bytes
 * and their recording times.
 */
export function mediaSessions({ nowMs, nowUs, log }: MediaSessionsDeps) {
  const sessions = new Map<string, MediaSession>();
  const timer = setInterval(() => void endWhere((one) => nowMs() - one.lastMs > IDLE_MS), CHECK_MS);
  timer.unref();

  type Reading = {
    actor: Actor;
    /** Credential or address, which distinguishes two viewers that use the same account. */
    via: string;
    /** The mission that is read, or the platform for live video. */
    mission: AuditedItem;
    sensorId: string;
    audit: RequestAudit;
  };

  /**
   * Resolves when the read may begin: content above UNCLASSIFIED waits until its audit row is written.
   *
   * @throws AppError unavailable if that row cannot be written
   */
  async function read({ actor, via, mission, sensorId, audit }: Reading, fetched: Fetched | null): Promise<void> {
    const key = `${actor.id} ${via} ${sensorId} ${mission.securityClassification}`;
    let session = sessions.get(key);
    if (session === undefined) {
      const begun = audit.write({
        action: 'media.begin',
        ...auditedItem(mission),
        result: `sensor ${sensorId}`,
      });
      session = { audit, mission, sensorId, bytes: 0, begunUs: nowUs(), contentSpan: null, lastMs: nowMs(), begun };
      sessions.set(key, session);
      begun.catch(() => sessions.delete(key));
    }
    session.lastMs = nowMs();
    if (fetched !== null && fetched.bytes > 0) {
      const { bytes, contentSpan } = fetched;
      session.bytes += bytes;
      session.contentSpan = widened(
        session.contentSpan,
        contentSpan === 'now' ? [session.begunUs, nowUs()] : contentSpan,
      );
    }
    if (mission.securityClassification !== 'UNCLASSIFIED') await session.begun;
  }

  async function endWhere(isOver: (session: MediaSession) => boolean): Promise<void> {
    const over = [...sessions].filter(([, session]) => isOver(session));
    for (const [key] of over) sessions.delete(key);
    await Promise.all(over.map(([, session]) => writeEnd(session)));
  }

  async function writeEnd({ audit, mission, sensorId, bytes, contentSpan }: MediaSession): Promise<void> {
    const times = contentSpan === null ? '' : `; ${contentSpan.map(isoOf).join('/')}`;
    await audit
      .write({
        action: 'media.end',
        ...auditedItem(mission),
        result: `sensor ${sensorId}; ${bytes} bytes${times}`,
      })
      .catch((error) => log.warn({ error }, 'end of a media session not written'));
  }

  return {
    read,
    /** Ends all sessions when the server stops. */
    async close(): Promise<void> {
      clearInterval(timer);
      await endWhere(() => true);
    },
  };
}

/** Extends the span. Times come from files, so those that a date cannot represent are left out. */
function widened(contentSpan: Span | null, more: Span | null): Span | null {
  if (more === null || !more.every((timeUs) => Math.abs(timeUs) <= TIME_MAX_US)) return contentSpan;
  return contentSpan === null ? more : [Math.min(contentSpan[0], more[0]), Math.max(contentSpan[1], more[1])];
}

const isoOf = (timeUs: number): string => new Date(timeUs / 1000).toISOString();
