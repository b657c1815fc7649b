import type { KlvHealth } from '@osprey/contract';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { utcOfPts } from '../../telemetry/timebase.ts';
import type { ArrangedFile } from './arrange.ts';
import { durationText } from './duration-text.ts';
import { isApart } from './together.ts';

type Finding = KlvHealth['findings'][number];

/**
 * Minimum length of a hole, in microseconds: telemetry of any useful rate has shorter intervals, and shorter pauses are
 * reported with the clock.
 */
const QUIET_US = 2_000_000;
/** If sets are rare, an interval of this many usual intervals counts as a pause. */
const QUIET_STEPS = 3;

type Ticks = { run: number; firstTicks: number; endTicks: number };
/** A part of the recording, in seconds from its first picture, not counting pauses between files. */
type Stretch = { from: number; to: number };

/** Finds parts of the video without telemetry at the beginning or end of a run, if other parts have telemetry. */
export function holeFindings(files: readonly ArrangedFile[]): Finding[] {
  const bare: Stretch[] = [];
  let length = 0;
  for (const file of files.filter(({ index }) => index.runs.length > 0)) {
    const quietUs = quietOf(file);
    for (const run of file.runs) {
      const [from, to] = shown(file, run);
      if (!(to > from)) continue;
      const place = (timeUs: number) => length + (timeUs - from) / 1e6;
      const gaps = isApart(file) ? [] : bareParts([from, to], telemetryOf(file, run));
      for (const [start, end] of gaps) if (end - start > quietUs) bare.push({ from: place(start), to: place(end) });
      length += (to - from) / 1e6;
    }
  }
  const parts = joined(bare);
  const sum = parts.reduce((all, { from, to }) => all + to - from, 0);
  const [longest] = parts.sort((a, b) => b.to - b.from - (a.to - a.from));
  if (longest === undefined) return [];
  const which = parts.length === 1 ? '' : 'the longest part ';
  const where = `${which}from ${durationText(longest.from)} to ${durationText(longest.to)}`;
  return [
    {
      severity: 'warning',
      text: `There is no telemetry for ${durationText(sum)} of ${durationText(length)}: ${where}.`,
    },
  ];
}

/**
 * Returns findings about gaps. Since a weak link causes many, they are described in one sentence, and listed with their
 * times next to it.
 */
export function gapFindings(gaps: KlvHealth['clock']['gaps']): Finding[] {
  if (gaps.length === 0) return [];
  const times = gaps.length === 1 ? '' : ` ${gaps.length} times,`;
  const sum = durationText(gaps.reduce((all, { seconds }) => all + seconds, 0));
  return [{ severity: 'warning', text: `Telemetry is missing${times} for ${sum}${times && ' in all'}.` }];
}

/** Returns the shown part of a run, in UTC. */
function shown({ timebase, window }: ArrangedFile, { run, firstTicks, endTicks }: Ticks): [number, number] {
  return [
    Math.max(window[0], utcOfPts(timebase, run, firstTicks)),
    Math.min(window[1], utcOfPts(timebase, run, endTicks)),
  ];
}

function telemetryOf({ timebase, index }: ArrangedFile, { run }: Ticks): [number, number] | null {
  const span = index.klvSpans.find((one) => one.run === run);
  return span ? [utcOfPts(timebase, run, span.min), utcOfPts(timebase, run, span.max)] : null;
}

function bareParts([from, to]: [number, number], telemetry: [number, number] | null): [number, number][] {
  if (telemetry === null) return [[from, to]];
  const [first, last] = telemetry;
  return [
    [from, Math.min(to, first)],
    [Math.max(from, last), to],
  ];
}

function quietOf({ index }: ArrangedFile): number {
  const ticks = index.klvSpans.reduce((sum, { min, max }) => sum + max - min, 0);
  if (index.records < 2) return QUIET_US;
  return Math.max(QUIET_US, (QUIET_STEPS * 1e6 * ticks) / TICKS_PER_SECOND / (index.records - 1));
}

/** Joins a part at the end of a file with the one at the beginning of the next. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const parts: Stretch[] = [];
  for (const { from, to } of stretches) {
    const last = parts[parts.length - 1];
    if (last && from - last.to < 0.001) last.to = to;
    else parts.push({ from, to });
  }
  return parts;
}
