import { failedSets } from '../../telemetry/failed-sets.ts';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { type TelemetryFile, walk } from '../../telemetry/walk.ts';

/** A time from PTS is rounded to a whole microsecond. */
const ROUNDING_US = 1;

/** Identity of one set among the bytes of its file. */
export type SetPlace<File extends TelemetryFile> = {
  file: File;
  run: number;
  /** 90 kHz, unwrapped; null where the set has none. */
  ptsTicks: number | null;
  /** Time as written in the set, in its own unit; null where it has none. */
  klv: number | null;
  failed: boolean;
};

/** Place of the telemetry set with this time, the last where several have it; null where none has. */
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
