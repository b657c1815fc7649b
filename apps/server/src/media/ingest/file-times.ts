import { TICKS_PER_SECOND } from '@osprey/mpegts';
import type { Anchor, Timebase } from '../../telemetry/timebase.ts';
import type { FileIndex } from '../index/file-index.ts';
import type { PictureClock } from '../index/picture-clock.ts';

const TICKS_PER_US = 0.09;
/**
 * Forward jump of the clock, in ticks, from which the clock is assumed to have been set; smaller jumps are pauses of
 * the recording.
 */
const MAX_REAL_GAP_TICKS = 24 * 3600 * TICKS_PER_SECOND;

/** A continuous part of one file on the stream's own clock: of pictures, or of telemetry if there are no pictures. */
export type ClockRun = { run: number; firstTicks: number; endTicks: number };

export function clockRuns({ runs, klvSpans }: Pick<FileIndex, 'runs' | 'klvSpans'>): ClockRun[] {
  if (runs.length === 0) return klvSpans.map(({ run, min, max }) => ({ run, firstTicks: min, endTicks: max }));
  return runs.map((one) => ({
    run: one.run,
    firstTicks: one.firstPts,
    endTicks: one.lastPts + one.lastDurationTicks,
  }));
}

/** Returns the microseconds from the start of the first run to the start of each run, and to the end of the last. */
export function runStarts(runs: readonly ClockRun[]): { startsUs: number[]; endUs: number } {
  const startsUs: number[] = [];
  let endUs = 0;
  runs.forEach((one, index) => {
    const before = runs[index - 1];
    const jump = before ? one.firstTicks - before.endTicks : 0;
    const gap = jump > 0 && jump <= MAX_REAL_GAP_TICKS ? jump : 0;
    const start = endUs + gap / TICKS_PER_US;
    startsUs.push(start);
    endUs = start + (one.endTicks - one.firstTicks) / TICKS_PER_US;
  });
  return { startsUs, endUs };
}

/**
 * Returns the timebase of a file whose start time comes from elsewhere: its first picture is at `startUs`, the rest
 * follows by PTS.
 */
export function streamTimebase(runs: readonly ClockRun[], startUs: number): Timebase {
  const { startsUs } = runStarts(runs);
  const anchored = runs.map(({ run, firstTicks }, index) => {
    const anchor: Anchor = [firstTicks, Math.round(startUs + startsUs[index]!)];
    return { run, anchors: [anchor] };
  });
  return { clock: 'stream', klvUnitUs: 1, runs: anchored, shiftUs: 0 };
}

/**
 * Returns the timebase of a file with a reliable KLV clock. Runs without telemetry are dated from their neighbours.
 * `byUs`: difference of another interpretation of the clock from the usual one.
 */
export function klvTimebase({ klv }: Pick<FileIndex, 'klv'>, runs: readonly ClockRun[], byUs = 0): Timebase {
  const dated = datedRuns(klv.anchors, runs, klvEnds(klv)?.[0] ?? 0);
  return {
    clock: 'klv',
    klvUnitUs: unitOf(klv.clock),
    runs:
      byUs === 0
        ? dated
        : dated.map(({ run, anchors }) => ({ run, anchors: anchors.map(([at, us]): Anchor => [at, us + byUs]) })),
    shiftUs: 0,
    ...(klv.line && { toleranceUs: klv.line.toleranceUs }),
  };
}

/** Returns the timebase of a file whose pictures contain their times. */
export function pictureTimebase({ runs: anchors, firstTimeUs }: PictureClock, runs: readonly ClockRun[]): Timebase {
  return { clock: 'stream', klvUnitUs: 1, runs: datedRuns(anchors, runs, firstTimeUs), shiftUs: 0 };
}

/** Returns the timebase of a file whose segments were dated by a playlist. */
export function playlistTimebase(anchors: Timebase['runs'], runs: readonly ClockRun[]): Timebase {
  const first = anchors[0]?.anchors[0]?.[1] ?? 0;
  return { clock: 'stream', klvUnitUs: 1, runs: datedRuns(anchors, runs, first), shiftUs: 0 };
}

/** Dates the runs; those without a time are dated from their neighbours. */
function datedRuns(anchorsOf: Timebase['runs'], runs: readonly ClockRun[], firstUs: number): Timebase['runs'] {
  const { startsUs } = runStarts(runs);
  const known = runs.map(({ run }) => anchorsOf.find((one) => one.run === run)?.anchors ?? []);
  const firstKnown = known.findIndex((anchors) => anchors.length > 0);
  return runs.map(({ run, firstTicks }, index) => {
    const own = known[index]!;
    if (own.length > 0) return { run, anchors: own };
    const near = known.slice(0, index).findLastIndex((anchors) => anchors.length > 0);
    const from = near >= 0 ? near : firstKnown;
    const [ticks, timeUs] = known[from]?.[0] ?? [firstTicks, firstUs];
    const fromStartUs = timeUs - (ticks - runs[from]!.firstTicks) / TICKS_PER_US;
    const anchor: Anchor = [firstTicks, Math.round(fromStartUs + startsUs[index]! - startsUs[from]!)];
    return { run, anchors: [anchor] };
  });
}

type Klv = FileIndex['klv'];

const unitOf = ({ unit }: Klv['clock']): 1 | 1000 => (unit === 'milliseconds' ? 1000 : 1);

/** Returns the UTC times of the first and the last set whose own time is used; null if there is none. */
export function klvEnds({ clock, line }: Klv): [firstUs: number, lastUs: number] | null {
  if (line) return [line.firstTimeUs, line.lastTimeUs];
  const { firstTimeUs, lastTimeUs } = clock;
  if (firstTimeUs === null || lastTimeUs === null) return null;
  return [firstTimeUs * unitOf(clock), lastTimeUs * unitOf(clock)];
}
