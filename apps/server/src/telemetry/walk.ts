import type { BlockEntry } from './format.ts';
import type { Block, TelemetryReader } from './reader.ts';
import { type Timebase, utcOfPts, utcOfRecord } from './timebase.ts';

/** Telemetry of one file of a sensor, and the part of it that is shown. */
export type TelemetryFile = {
  telemetryKey: string | null;
  timebase: Timebase;
  /** Clock run and PTS (in ticks) of the sets whose checksum is wrong; these have no records in the index. */
  failedSets?: readonly (readonly [run: number, ptsTicks: number])[];
  /** Shown range in UTC microseconds. */
  window: [fromUs: number, toUs: number];
  /** Start of the shown telemetry in UTC microseconds, if it is before the window. */
  telemetryFromUs?: number;
};

/** Returns the shown range of a file's telemetry, in UTC microseconds. */
export const telemetryWindow = ({ window, telemetryFromUs }: TelemetryFile): [fromUs: number, toUs: number] => [
  telemetryFromUs ?? window[0],
  window[1],
];

export type WalkOptions = {
  /** Start of the range to read, in UTC microseconds, and its end; both are included. Left out: not limited. */
  fromUs?: number;
  toUs?: number;
  /** Tags of the requested columns; all columns when left out. */
  tags?: ReadonlySet<number>;
};

/** A record, as a row of a block, and its time. The caller may keep the block, which holds some hundred records. */
export type Step = { timeUs: number; block: Block; row: number };

/**
 * Yields the records of a sensor in the order of its files, each with its UTC. Reads only those blocks that may contain
 * requested times.
 */
export async function* walk(
  reader: TelemetryReader,
  files: readonly TelemetryFile[],
  { fromUs = Number.NEGATIVE_INFINITY, toUs = Number.POSITIVE_INFINITY, tags }: WalkOptions = {},
): AsyncGenerator<Step> {
  for (const file of files) {
    const { telemetryKey, timebase } = file;
    const window = telemetryWindow(file);
    if (telemetryKey === null) continue;
    const [first, last] = [Math.max(fromUs, window[0]), Math.min(toUs, window[1])];
    if (first > last) continue;
    const requested = (entry: BlockEntry) => mayHold(entry, timebase, [first, last]);
    for await (const block of reader.blocks(telemetryKey, { requested, ...(tags && { tags }) })) {
      yield* stepsOf(block, timebase, [first, last]);
    }
  }
}

/** Returns the requested records of a block in order of time, since sets may be out of order in the stream. */
function stepsOf(block: Block, timebase: Timebase, [first, last]: [number, number]): Step[] {
  const steps: Step[] = [];
  let isInOrder = true;
  let beforeUs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < block.rows; row += 1) {
    const place = { klv: block.time[row]!, ptsTicks: block.pts[row]!, run: block.run[row]! };
    const timeUs = utcOfRecord(timebase, place);
    if (!(timeUs >= first && timeUs <= last)) continue;
    if (timeUs < beforeUs) isInOrder = false;
    beforeUs = timeUs;
    steps.push({ timeUs, block, row });
  }
  return isInOrder ? steps : steps.sort((one, other) => one.timeUs - other.timeUs);
}

/** Tolerance in microseconds, needed because a time derived from PTS is rounded to a whole microsecond. */
const ROUNDING_US = 1;

function mayHold({ klv, spans, timeless }: BlockEntry, timebase: Timebase, [first, last]: [number, number]): boolean {
  const holds = (from: number, to: number) => from - ROUNDING_US <= last && to + ROUNDING_US >= first;
  const { shiftUs, klvUnitUs } = timebase;
  if (timebase.clock === 'klv' && klv && holds(klv[0] * klvUnitUs + shiftUs, klv[1] * klvUnitUs + shiftUs)) return true;
  if (timebase.clock === 'klv' && timeless === 0 && timebase.toleranceUs === undefined) return false;
  return spans.some(({ run, min, max }) => holds(utcOfPts(timebase, run, min), utcOfPts(timebase, run, max)));
}

/**
 * Shifts the telemetry to the times that are shown: its own time plus the time shift of the sensor, in microseconds.
 */
export function shifted<File extends TelemetryFile>(files: readonly File[], shiftUs: number): File[] {
  return files.map((file) => ({
    ...file,
    timebase: { ...file.timebase, shiftUs: file.timebase.shiftUs + shiftUs },
    window: [file.window[0] + shiftUs, file.window[1] + shiftUs],
    ...(file.telemetryFromUs !== undefined && { telemetryFromUs: file.telemetryFromUs + shiftUs }),
  }));
}

/** Returns the value of a column in a row; NaN if there is none. */
export function numberAt({ block, row }: Pick<Step, 'block' | 'row'>, tag: number): number {
  const column = block.columns.get(tag);
  return column?.kind === 'numbers' ? column.values[row]! : Number.NaN;
}
