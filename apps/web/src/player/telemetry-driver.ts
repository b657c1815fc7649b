import type { ClockMember } from '../onscreen/clock/members.ts';
import { type RecordedSpan, recordedFrom, recordedUntil, spanAt } from '../onscreen/playable.ts';

/**
 * Maximum time that the position advances between two looks, in milliseconds, so that a page that was hidden continues
 * where it was.
 */
const ADVANCE_MAX_MS = 500;

type Deps = {
  id: string;
  spans: readonly RecordedSpan[];
  isLoading: (timeUs: number) => boolean;
  /** Resolves with the time of the record after or before the one shown at this moment. */
  neighbour: (timeUs: number, direction: 1 | -1) => Promise<number | null>;
  now: () => number;
};

/**
 * Member of the mission clock for telemetry without a picture. It advances with the machine's time, since it has no
 * playback of its own.
 */
export function createTelemetryDriver({ id, spans, isLoading, neighbour, now }: Deps) {
  let atUs = spans[0]?.startTime ?? 0;
  let sinceMs = now();
  let playing: number | null = null;

  function nowUs(): number {
    if (playing === null) return atUs;
    const passedUs = Math.min(now() - sinceMs, ADVANCE_MAX_MS) * 1000 * playing;
    // A span ends one microsecond after its end, so that another sensor leads from there, or the clock skips the gap.
    const lastUs = (spanAt(spans, atUs)?.endTime ?? atUs) + 1;
    return Math.round(Math.min(atUs + passedUs, Math.max(lastUs, atUs)));
  }

  function standAt(timeUs: number) {
    atUs = timeUs;
    sinceMs = now();
  }

  function setPace(rate: number | null) {
    standAt(nowUs());
    playing = rate;
  }

  const member: ClockMember = {
    id,
    covers: (timeUs) => spanAt(spans, timeUs) !== null,
    nextCovered: (timeUs) => recordedFrom(spans, timeUs),
    lastCovered: (timeUs) => recordedUntil(spans, timeUs),
    nowUs,
    isReady: () => !isLoading(atUs),
    show(timeUs) {
      playing = null;
      standAt(timeUs);
    },
    play: setPace,
    pause: () => setPace(null),
    // Nothing is drawn at a moment of the clock without a record.
    miss: () => setPace(null),
    step: (direction) => neighbour(atUs, direction),
  };
  /**
   * Following needs no change of the playback rate, since a sensor without pictures can be set to the clock's time
   * directly.
   */
  return { ...member, follow: standAt };
}
