import type { SensorTimeline } from '@osprey/contract';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { utcOfPts } from '../../telemetry/timebase.ts';
import { byRun } from '../index/by-run.ts';
import type { IndexedFile, PlayableSegment } from '../index/sensor-index.ts';
import { type ArrangedFile, isZoneAssumed } from './arrange.ts';

/** Minimum length of a gap, in microseconds; shorter ones are joints between files. */
const GAP_US = 1_000_000;
const SEAM_US = 20_000;

/** A file with those of its segments that are shown; none if it has no pictures. */
export type FileOnTimeline = { file: ArrangedFile; segments: readonly PlayableSegment[] };

type Keyframe = { offset: number; ptsTicks: number; run: number };

/**
 * Returns the segments within the file's window. In an overlap, the previous file is shown up to the first key frame
 * after the overlap. Without an overlap, all segments are shown, since a rendition may begin earlier than its original:
 * ffmpeg also decodes pictures that precede the tables describing them.
 */
export function shownSegments(
  file: ArrangedFile,
  segments: readonly PlayableSegment[],
  keyframes: readonly Keyframe[],
): PlayableSegment[] {
  const [windowUs] = file.window;
  if (file.endUs <= windowUs) return [];
  if (file.startUs >= windowUs) return [...segments];
  // Allow half a picture, so that a joint between files does not drop a segment.
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

/** Returns the conversion from playlist time to UTC; null if no file can be dated. */
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
    // The least reliable source determines how reliable the times of the whole timeline are.
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

/** Returns the timeline of a sensor that has only telemetry, from text files. */
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

/** Adds pauses of the telemetry as gaps if there are no pictures; otherwise the pauses of the pictures are the gaps. */
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
