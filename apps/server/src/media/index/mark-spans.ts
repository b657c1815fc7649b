import { TICKS_PER_SECOND } from '@osprey/mpegts';
import type { Storage } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import { findJson, indexFolder, putJson } from './file-index.ts';

/**
 * Maximum interval between security marks at which a recording counts as carrying its label itself, in 90 kHz ticks.
 */
export const MARKED_EVERY_TICKS = 2 * TICKS_PER_SECOND;
/** Maximum number of spans; a recording with more is read instead. */
const SPANS_MAX = 1000;
/** Allowance for the pictures at both ends of a cut, which may be this far apart, in ticks. */
const ENDS_TICKS = TICKS_PER_SECOND / 2;
/** Maximum distance from a cut at which KLV may still be in it, in ticks. */
const NEAR_TICKS = 12 * TICKS_PER_SECOND;

/** Places at which a recording states its security mark (ST 0102), if all of its security sets state the same one. */
export type MarkSpans = {
  mark: number;
  /** Largest distance, in ticks, between a mark and the pictures sent next to it, or between PTS and DTS of a picture. */
  offsetTicks: number;
  /**
   * Spans in which each mark follows the one before it within `MARKED_EVERY_TICKS`: run of the clock, first and last
   * mark, and the longest interval between two of them, in ticks.
   */
  spans: [run: number, first: number, last: number, longest: number][];
};

export type MarkPlace = {
  run: number;
  /** Time of the set on the clock of the program; null if it has none. */
  ticks: number | null;
  /** PTS of the last picture before the set; null if there was none yet. */
  videoTicks: number | null;
};

/** Collects the places of security marks during a pass over a stream, in constant memory. */
export function createMarkSpans() {
  const spans: MarkSpans['spans'] = [];
  let mark: number | null = null;
  let offsetTicks = 0;
  let isUsable = true;

  function add(said: unknown, { run, ticks, videoTicks }: MarkPlace): void {
    if (typeof said !== 'number' || ticks === null || said !== (mark ?? said)) isUsable = false;
    if (!isUsable || typeof said !== 'number' || ticks === null) return;
    mark = said;
    if (videoTicks !== null) offsetTicks = Math.max(offsetTicks, Math.abs(ticks - videoTicks));
    const last = spans.at(-1);
    if (last === undefined || last[0] !== run || ticks - last[2] > MARKED_EVERY_TICKS) {
      spans.push([run, ticks, ticks, 0]);
      isUsable = spans.length <= SPANS_MAX;
      return;
    }
    last[3] = Math.max(last[3], ticks - last[2]);
    last[2] = Math.max(last[2], ticks);
  }

  return {
    /** Notes a security set by its classification as it was decoded; undefined if it states none. */
    add,
    /** Notes a picture of the shown video. */
    picture(ptsTicks: number | null, dtsTicks: number | null): void {
      if (ptsTicks !== null && dtsTicks !== null) offsetTicks = Math.max(offsetTicks, ptsTicks - dtsTicks);
    },
    /** Notes that the stream contains something that spans cannot describe. */
    spoil(): void {
      isUsable = false;
    },
    /** Returns null if the recording has to be read. */
    finish: (): MarkSpans | null => (isUsable && mark !== null ? { mark, offsetTicks, spans } : null),
  };
}

/** A part of a run of the clock, from its first picture to its end, in ticks. */
type Cut = { run: number; startTicks: number; endTicks: number };

/**
 * Returns true if the recording states its mark throughout the cut, whichever sets at its ends are part of it. False
 * means that this is not certain, so that the cut has to be read.
 */
export function isMarkedThroughout(found: MarkSpans, { run, startTicks, endTicks }: Cut): boolean {
  const slack = found.offsetTicks + ENDS_TICKS;
  const nearest = MARKED_EVERY_TICKS - slack;
  // In a shorter cut there may be no mark at all.
  if (endTicks - startTicks < MARKED_EVERY_TICKS + slack) return false;
  const near = found.spans.filter(
    ([ofRun, first, last]) => ofRun === run && last >= startTicks - NEAR_TICKS && first <= endTicks + NEAR_TICKS,
  );
  const [only] = near;
  if (only === undefined || near.length > 1) return false;
  const [, first, last, longest] = only;
  return longest <= nearest && first <= startTicks + nearest && last >= endTicks - nearest;
}

/** The stored result; `found` is null if the recording has to be read. */
type StoredMarks = { version: 1; found: MarkSpans | null };

const markSpansKey = (sensorId: string, fileId: string): string => `${indexFolder(sensorId)}/${fileId}.marks.json`;

export const storeMarkSpans = (
  storage: Storage,
  { sensorId, fileId }: { sensorId: string; fileId: string },
  found: MarkSpans | null,
): Promise<void> => putJson(storage, markSpansKey(sensorId, fileId), { version: 1, found } satisfies StoredMarks);

/** Reads the stored result of a file; null if there is none yet, as for recordings read by older versions. */
export async function readMarkSpans(
  storage: Pick<Storage, 'read'>,
  sensorId: string,
  fileId: string,
): Promise<StoredMarks | null> {
  const stored = await findJson<StoredMarks>(storage, markSpansKey(sensorId, fileId)).catch((error) => {
    if (error instanceof IndexDamaged) return null;
    throw error;
  });
  return stored?.version === 1 ? stored : null;
}
