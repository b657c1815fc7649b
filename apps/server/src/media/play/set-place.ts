import { failedSets } from '../../telemetry/failed-sets.ts';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { type TelemetryFile, walk } from '../../telemetry/walk.ts';

/** Times derived from PTS are rounded to whole microseconds. */
const ROUNDING_US = 1;

/** Identifies one set among the bytes of its file. */
export type SetPlace<File extends TelemetryFile> = {
  file: File;
  run: number;
  /** PTS in ticks of 90 kHz, unwrapped; null if the set has none. */
  ptsTicks: number | null;
  /** Time as stated by the set, in the set's unit; null if it states none. */
  klv: number | null;
  failed: boolean;
};

/** Finds the telemetry set with this time, the last one if several have it; null if there is none. */
export async function placeOfSet<File extends TelemetryFile>(
  reader: TelemetryReader,
  files: readonly File[],
  timeUs: number,
): Promise<SetPlace<File> | null> {
  const [fromUs, toUs] = [timeUs - ROUNDING_US, timeUs + ROUNDING_US];
  let found: SetPlace<File> | null = null;
  for (const file of files) {
    for await (const { block, row } of walk(reader, [file], { fromUs, toUs, tags: new Set() })) {
      const [klv, ptsTicks] = [numberOrNull(block.time[row]!), numberOrNull(block.pts[row]!)];
      found = { file, run: block.run[row]!, ptsTicks, klv, failed: false };
    }
  }
  if (found) return found;
  for (const { file, run, ptsTicks } of failedSets(files, fromUs, toUs)) {
    found = { file, run, ptsTicks, klv: null, failed: true };
  }
  return found;
}

const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
