import { distance } from './timeline.ts';

/**
 * Byte range of a run of the clock in its file, with the beginning of the previous run and the end of the next one. A
 * run is a part of the stream without clock jumps.
 */
export type RunPlace = {
  begin: number;
  limit: number;
  /** Null if there is no previous run. */
  previousBegin: number | null;
  /** Null if there is no next run. */
  nextLimit: number | null;
};

/** Returns the byte ranges of a file's runs by run number, from its segments in file order. */
export function runPlaces(
  segments: Iterable<{ offset: number; sizeBytes: number; run: number }>,
): Map<number, RunPlace> {
  const places = new Map<number, RunPlace>();
  let last: RunPlace | null = null;
  for (const { offset, sizeBytes, run } of segments) {
    const limit = offset + sizeBytes;
    const own = places.get(run);
    if (own === undefined) {
      const place: RunPlace = { begin: offset, limit, previousBegin: last?.begin ?? null, nextLimit: null };
      places.set(run, place);
      last = place;
    } else own.limit = limit;
  }
  const all = [...places.values()];
  for (const [i, place] of all.entries()) place.nextLimit = all[i + 1]?.limit ?? null;
  return places;
}

/** Distance in bytes before and after the first picture of a run within which the other streams change to that run. */
const PASSAGE = 2 * 1024 * 1024;

/**
 * Returns the byte range in which streams change from one run to the next; it extends no further than the middle of
 * either run.
 */
export function runChangeSpan(at: number, previousBegin: number, nextLimit: number): [from: number, to: number] {
  return [
    Math.max(at - PASSAGE, Math.ceil((previousBegin + at) / 2)),
    Math.min(at + PASSAGE, Math.floor((at + nextLimit) / 2)),
  ];
}

/** A PES packet with a time: `place` is its offset in the file, `stamp` its 33-bit time. */
export type Stamped = { pid: number; place: number; stamp: number };

/**
 * Returns the offset at which each stream changes to the run whose first picture is at `at`. The offsets differ by
 * stream, since packets may come before or after the pictures of the same time. They are found by comparing clocks: the
 * clock of each stream makes the same jump as that of the pictures, and the packet with the jump is the first one of
 * the new run. A stream without such a jump is not listed: it changes with the pictures.
 *
 * @param elements PES packets around `at`, in file order
 */
export function runChangesOf(elements: readonly Stamped[], at: number, videoPid: number): Map<number, number> {
  const runChanges = new Map<number, number>();
  const pictures = elements.filter(({ pid }) => pid === videoPid);
  const [before, after] = [pictures.findLast(({ place }) => place < at), pictures.find(({ place }) => place >= at)];
  if (before === undefined || after === undefined) return runChanges;
  const jump = distance(after.stamp, before.stamp);
  const last = new Map<number, number>();
  const nearest = new Map<number, number>();
  for (const { pid, place, stamp } of elements) {
    const previous = last.get(pid);
    last.set(pid, stamp);
    if (pid === videoPid || previous === undefined) continue;
    const off = Math.abs(distance(stamp, previous) - jump);
    if (off >= Math.abs(jump) / 2 || off >= (nearest.get(pid) ?? Number.POSITIVE_INFINITY)) continue;
    nearest.set(pid, off);
    runChanges.set(pid, place);
  }
  return runChanges;
}
