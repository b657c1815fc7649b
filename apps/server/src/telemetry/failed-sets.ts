import { utcOfPts } from './timebase.ts';
import { type TelemetryFile, telemetryWindow } from './walk.ts';

/** A set whose checksum is wrong, and its place in one file. The time in the set itself is not used. */
export type FailedSet<File extends TelemetryFile = TelemetryFile> = {
  file: File;
  timeUs: number;
  run: number;
  ptsTicks: number;
};

/** Yields the failed sets with times within the range, both ends included, in the order of the files. */
export function* failedSets<File extends TelemetryFile>(
  files: readonly File[],
  fromUs: number,
  toUs: number,
): Generator<FailedSet<File>> {
  for (const file of files) {
    const shown = telemetryWindow(file);
    const [first, last] = [Math.max(fromUs, shown[0]), Math.min(toUs, shown[1])];
    if (first > last) continue;
    for (const [run, ptsTicks] of file.failedSets ?? []) {
      const timeUs = Math.round(utcOfPts(file.timebase, run, ptsTicks));
      if (timeUs >= first && timeUs <= last) yield { file, timeUs, run, ptsTicks };
    }
  }
}

/** Returns the times of failed sets within the range, oldest first. */
export const failedTimes = (files: readonly TelemetryFile[], fromUs: number, toUs: number): number[] =>
  [...failedSets(files, fromUs, toUs)].map(({ timeUs }) => timeUs).sort((a, b) => a - b);
