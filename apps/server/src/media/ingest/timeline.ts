import type { SensorTimeline } from '@osprey/contract';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { utcOfPts } from '../../telemetry/timebase.ts';
import { byRun } from '../index/by-run.ts';
import type { IndexedFile, PlayableSegment } from '../index/sensor-index.ts';
import { type ArrangedFile, isZoneAssumed } from './arrange.ts';

/** Shorter holes are the seams between files. */
const GAP_US = 1_000_000;
const SEAM_US = 20_000;

/** A file with the segments that are shown of it; none where it holds no picture. */
export type FileOnTimeline = { file: ArrangedFile; segments: readonly PlayableSegment[] };

type Keyframe = { offset: number; ptsTicks: number; run: number };

/**
 * Segments within the file's window: in an overlap, everything up to the first key frame after it is left to the file
 * before. Where there is none, a conversion may begin earlier than its original: ffmpeg also decodes the pictures that
 * came before the tables which name them.
 */
export function shownSegments(
  file: ArrangedFile,
  segments: readonly PlayableSegment[],
  keyframes: readonly Keyframe[],
): PlayableSegment[] {
  const [windowUs] = file.window;
  if (file.endUs <= windowUs) return [];
  if (file.startUs >= windowUs) return [...segments];
  // Half a picture: a seam costs no segment.
  const fromUs = windowUs - SEAM_US;
  const timeOf = (run: number, ticks: number) => utcOfPts(file.timebase, run, ticks);
  return segments.flatMap((segment) => {
    const { run, startTicks, durationTicks, offset, sizeBytes } = segment;
    const startUs = timeOf(run, startTicks);
    if (Number.isNaN(startUs) || startUs >= fromUs) return [segment];
    const first = keyframes.find(
      (key) =>
        key.run === run &&
        key.offset > offset &&
        key.offset < offset + sizeBytes &&
        timeOf(run, key.ptsTicks) >= fromUs,
    );
    if (first === undefined) return [];
    return [
      {
        ...segment,
        isTrimmed: true,
        offset: first.offset,
        sizeBytes: offset + sizeBytes - first.offset,
        startTicks: first.ptsTicks,
        durationTicks: startTicks + durationTicks - first.ptsTicks,
      },
    ];
  });
}

type Timed = Pick<SensorTimeline, 'startTime' | 'endTime' | 'timeSource' | 'timeAssumed' | 'runs' | 'gaps'>;

/** Conversion of the playlist's time to UTC; null if no file can be dated. */
export function timelineOf(files: readonly FileOnTimeline[]): Timed | null {
  const dated = files.filter(({ file }) => Number.isFinite(file.startUs) && Number.isFinite(file.endUs));
  if (dated.length === 0) return null;
  const runs: SensorTimeline['runs'] = [];
  let playlistStart = 0;
  for (const { file, segments } of files) {
    for (const stretch of byRun(segments)) {
      const run = runOf(file, stretch, { discontinuity: runs.length, playlistStart });
      playlistStart += run.durationSeconds;
      runs.push(run);
    }
  }
  const sources = dated.map(({ file }) => file.timeSource);
  return {
    startTime: Math.min(...dated.map(({ file }) => file.window[0]), ...runs.map((run) => run.startTime)),
    endTime: Math.max(...dated.map(({ file }) => file.window[1])),
    // The weakest says how far the times of the whole can be believed.
    timeSource: weakest.find((source) => sources.includes(source)) ?? 'klv',
    ...(dated.some(({ file }) => isAssumed(file)) && { timeAssumed: true }),
    runs,
    gaps: gapsBetween(runs.length > 0 ? runs.map((run) => [run.startTime, run.endTime]) : windows(dated)),
  };
}

const weakest = ['upload', 'file', 'name', 'container', 'playlist', 'picture'] as const;

function isAssumed(file: ArrangedFile): boolean {
  const { timeSource, index, reading } = file;
  const isReading = timeSource === 'klv' && (index.klv.line?.otherUs ?? null) !== null && reading?.clock === undefined;
  return isReading || isZoneAssumed(file);
}

/** Timeline of a sensor that has telemetry alone, from text files. */
export function timelineOfSidecars(files: readonly IndexedFile[]): Timed | null {
  if (files.length === 0) return null;
  return {
    startTime: Math.min(...files.map(({ window }) => window[0])),
    endTime: Math.max(...files.map(({ window }) => window[1])),
    timeSource: 'file',
    runs: [],
    gaps: gapsBetween(files.map(({ window }) => window)),
  };
}

/** Pictures show their own pauses; if there are none, pauses of the telemetry are gaps too. */
export function withPauses(times: Timed, pauses: SensorTimeline['gaps']): Timed {
  if (times.runs.length > 0 || pauses.length === 0) return times;
  return { ...times, gaps: [...times.gaps, ...pauses].sort((one, other) => one.start - other.start) };
}

const windows = (files: readonly FileOnTimeline[]): [number, number][] => files.map(({ file }) => file.window);

type Place = { discontinuity: number; playlistStart: number };

function runOf(file: ArrangedFile, stretch: readonly PlayableSegment[], place: Place): SensorTimeline['runs'][number] {
  const { run, startTicks } = stretch[0]!;
  const last = stretch[stretch.length - 1]!;
  const endTicks = last.startTicks + last.durationTicks;
  const anchors = file.timebase.runs.find((one) => one.run === run)?.anchors ?? [];
  const map = file.index.runs.find((one) => one.run === run);
  return {
    ...place,
    fileId: file.id,
    durationSeconds: stretch.reduce((sum, one) => sum + one.durationTicks, 0) / TICKS_PER_SECOND,
    firstPts: startTicks,
    lastPts: Math.min(endTicks, map?.lastPts ?? endTicks),
    startTime: Math.round(utcOfPts(file.timebase, run, startTicks)),
    endTime: Math.round(utcOfPts(file.timebase, run, endTicks)),
    anchors,
  };
}

function gapsBetween(stretches: readonly [number, number][]): { start: number; end: number }[] {
  return stretches.flatMap(([start], index) => {
    const before = stretches[index - 1];
    return before && start - before[1] > GAP_US ? [{ start: before[1], end: start }] : [];
  });
}
