import type { BlockEntry } from './format.ts';
import type { Block, TelemetryReader } from './reader.ts';
import { type Timebase, utcOfPts, utcOfRecord } from './timebase.ts';

/** The telemetry of one file of a sensor, and the part of it that is shown. */
export type TelemetryFile = {
  telemetryKey: string | null;
  timebase: Timebase;
  /** Sets with a failed checksum, which have no records in the index: clock run and PTS in ticks. */
  failedSets?: readonly (readonly [run: number, ptsTicks: number])[];
  /** Shown range in UTC microseconds. */
  window: [fromUs: number, toUs: number];
  /** Start of the shown telemetry, if it is before the window. */
  telemetryFromUs?: number;
};

/** Shown range of a file's telemetry, in UTC microseconds. */
export const telemetryWindow = ({ window, telemetryFromUs }: TelemetryFile): [fromUs: number, toUs: number] => [
  telemetryFromUs ?? window[0],
  window[1],
];

export type WalkOptions = {
  /** Range to read, both ends included; left out: everything. */
  fromUs?: number;
  toUs?: number;
  /** Requested columns; all when left out. */
  tags?: ReadonlySet<number>;
};

/** A record and its time. The block may be kept; each holds some hundred records. */
export type Step = { timeUs: number; block: Block; row: number };

/**
 * Yields records of a sensor in the order of its files, each with its UTC. Reads only blocks that can hold requested
 * times.
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

/** Records of a block in time order: sets may be out of order in the stream. */
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

/** Tolerance because a time from PTS is rounded to a whole microsecond. */
const ROUNDING_US = 1;

function mayHold({ klv, spans, timeless }: BlockEntry, timebase: Timebase, [first, last]: [number, number]): boolean {
  const holds = (from: number, to: number) => from - ROUNDING_US <= last && to + ROUNDING_US >= first;
  const { shiftUs, klvUnitUs } = timebase;
  if (timebase.clock === 'klv' && klv && holds(klv[0] * klvUnitUs + shiftUs, klv[1] * klvUnitUs + shiftUs)) return true;
  if (timebase.clock === 'klv' && timeless === 0 && timebase.toleranceUs === undefined) return false;
  return spans.some(({ run, min, max }) => holds(utcOfPts(timebase, run, min), utcOfPts(timebase, run, max)));
}

/** Moves telemetry to the shown times: own time plus the sensor's time shift, in microseconds. */
export function shifted<File extends TelemetryFile>(files: readonly File[], shiftUs: number): File[] {
  return files.map((file) => ({
    ...file,
    timebase: { ...file.timebase, shiftUs: file.timebase.shiftUs + shiftUs },
    window: [file.window[0] + shiftUs, file.window[1] + shiftUs],
    ...(file.telemetryFromUs !== undefined && { telemetryFromUs: file.telemetryFromUs + shiftUs }),
  }));
}

/** Value of a column in a row; NaN if it has none. */
export function numberAt({ block, row }: Pick<Step, 'block' | 'row'>, tag: number): number {
  const column = block.columns.get(tag);
  return column?.kind === 'numbers' ? column.values[row]! : Number.NaN;
}
