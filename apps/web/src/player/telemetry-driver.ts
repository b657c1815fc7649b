import type { ClockMember } from '../onscreen/clock/members.ts';
import { type RecordedSpan, recordedFrom, recordedUntil, spanAt } from '../onscreen/playable.ts';

/** Between two looks of the clock no more than this passes: a page that was hidden goes on where it was. ms */
const LONGEST_LOOK_MS = 500;

type Deps = {
  id: string;
  spans: readonly RecordedSpan[];
  isLoading: (timeUs: number) => boolean;
  /** The time of the record after or before the one shown at this moment. */
  neighbour: (timeUs: number, direction: 1 | -1) => Promise<number | null>;
  now: () => number;
};

/** Telemetry without a picture on the mission clock: it has no pace of its own, so the machine's time is its pace. */
export function createTelemetryDriver({ id, spans, isLoading, neighbour, now }: Deps) {
  let atUs = spans[0]?.startTime ?? 0;
  let sinceMs = now();
  let playing: number | null = null;

  function nowUs(): number {
    if (playing === null) return atUs;
    const passedUs = Math.min(now() - sinceMs, LONGEST_LOOK_MS) * 1000 * playing;
    // One microsecond after its end a span is over: another sensor leads then, or the clock skips the gap.
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
    // Nothing is drawn where the clock's moment has no record.
    miss: () => setPace(null),
    step: (direction) => neighbour(atUs, direction),
  };
  /** A sensor without pictures is always at the clock's time, so following needs no speed changes. */
  return { ...member, follow: standAt };
}
