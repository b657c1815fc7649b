import type { KlvHealth } from '@osprey/contract';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { walk } from '../../telemetry/walk.ts';
import type { IndexedFile } from '../index/sensor-index.ts';

/**
 * Maximum number of buckets: one point for every two or three pixels of a panel, no matter how long the recording is.
 */
const MAX_BUCKETS = 600;
const TICKS_PER_US = 0.09;

type Course = NonNullable<KlvHealth['course']>;

/** `klvUs`: time stated by the set, NaN if there is none. `ptsTicks`: PTS at 90 kHz, NaN if there is none. */
export type CoursePoint = { timeUs: number; klvUs: number; ptsTicks: number; stretch: string };

type Bucket = { sets: number; firstUs: number; lastUs: number; offsetUs: number | null };

/**
 * Computes rate and clock of the telemetry along a recording, in at most 600 equal buckets. Points may arrive in any
 * order.
 *
 * The offset is the drift between the metadata clock and the video clock since the first set, separately for each
 * stretch (a run of a file); each bucket contains the largest one.
 */
export function createCourse({ startUs, endUs }: { startUs: number; endUs: number }) {
  const buckets = Math.min(MAX_BUCKETS, Math.max(1, Math.floor((endUs - startUs) / 1e6)));
  const widthUs = Math.max(1, (endUs - startUs) / buckets);
  const found = new Array<Bucket | undefined>(buckets);
  const bases = new Map<string, number>();

  function offsetOf({ klvUs, ptsTicks, stretch }: CoursePoint): number | null {
    const apart = klvUs - ptsTicks / TICKS_PER_US;
    if (Number.isNaN(apart)) return null;
    const base = bases.get(stretch);
    if (base === undefined) bases.set(stretch, apart);
    return apart - (base ?? apart);
  }

  function add(point: CoursePoint): void {
    const { timeUs } = point;
    const at = Math.min(buckets - 1, Math.max(0, Math.floor((timeUs - startUs) / widthUs)));
    const offsetUs = offsetOf(point);
    const bucket = found[at];
    if (bucket === undefined) {
      found[at] = { sets: 1, firstUs: timeUs, lastUs: timeUs, offsetUs };
      return;
    }
    bucket.sets += 1;
    bucket.firstUs = Math.min(bucket.firstUs, timeUs);
    bucket.lastUs = Math.max(bucket.lastUs, timeUs);
    if (offsetUs !== null && Math.abs(offsetUs) >= Math.abs(bucket.offsetUs ?? 0)) bucket.offsetUs = offsetUs;
  }

  function finish(): Course {
    const course: Course = { time: [], ratePerSecond: [], clockOffsetMs: [] };
    for (let at = 0; at < buckets; at += 1) {
      const offsetUs = found[at]?.offsetUs ?? null;
      course.time.push(Math.round(startUs + at * widthUs));
      course.ratePerSecond.push(rounded(rateOf(found[at], at === buckets - 1 ? 'end' : found[at + 1], widthUs)));
      course.clockOffsetMs.push(offsetUs === null ? null : rounded(offsetUs / 1000));
    }
    return course;
  }

  return { add, finish };
}

/**
 * Measures the rate between the first sets of two buckets, since buckets of equal length differ by a set even in a
 * regular stream.
 */
function rateOf(bucket: Bucket | undefined, next: Bucket | 'end' | undefined, widthUs: number): number {
  if (bucket === undefined) return 0;
  const { sets, firstUs, lastUs } = bucket;
  if (next === 'end') return sets > 1 && lastUs > firstUs ? ((sets - 1) * 1e6) / (lastUs - firstUs) : sets;
  return (sets * 1e6) / (next === undefined ? widthUs : Math.max(1, next.firstUs - firstUs));
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/** Computes the course of a sensor from its whole telemetry, in one pass. */
export async function courseOf(
  reader: TelemetryReader,
  files: readonly IndexedFile[],
  span: { startUs: number; endUs: number },
): Promise<Course> {
  const course = createCourse(span);
  for (const [place, file] of files.entries()) {
    for await (const { timeUs, block, row } of walk(reader, [file], { tags: new Set() })) {
      course.add({
        timeUs,
        klvUs: block.time[row]! * file.timebase.klvUnitUs,
        ptsTicks: block.pts[row]!,
        stretch: `${place} ${block.run[row]}`,
      });
    }
  }
  return course.finish();
}
