import type { KlvHealth } from '@osprey/contract';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { LATENCY_RANGE_MS } from '../index/klv-tally.ts';
import type { ArrangedFile } from './arrange.ts';
import { durationText } from './duration-text.ts';

/** Range of PTS, which has 33 bits (ISO/IEC 13818-1, 2.4.3.7). */
const PTS_WRAP = 2 ** 33;

type Finding = KlvHealth['findings'][number];

/**
 * Maximum time by which metadata may begin or end outside of their pictures and still count as having the same clock.
 */
const IN_STEP_TICKS = 2.5 * TICKS_PER_SECOND;

/**
 * Returns whether metadata use another clock than their pictures: most are further from the picture that they arrived
 * with than any encoder delay explains, and they begin and end at other times than the pictures do. If PTS agrees, they
 * are only far apart in the multiplex.
 */
export const isApart = (file: ArrangedFile): boolean =>
  Math.abs(file.index.klv.latencyMs?.median ?? 0) >= LATENCY_RANGE_MS && !isInStep(file);

function isInStep({ runs, index }: ArrangedFile): boolean {
  return index.klvSpans.some(({ run, min, max }) => {
    const pictures = runs.find((one) => one.run === run);
    if (pictures === undefined) return false;
    const [early, late] = [min - pictures.firstTicks, max - pictures.endTicks];
    return early >= -IN_STEP_TICKS && late <= IN_STEP_TICKS;
  });
}

export function apartFindings(file: ArrangedFile): Finding[] {
  if (!isApart(file)) return [];
  const text = `metadata and video do not belong together in time: the times (PTS) of the metadata are ${distanceOf(file)} than those of the pictures they came with. Both must be stamped by one clock.`;
  return [{ severity: 'error', text: `${file.name}: ${text}` }];
}

/**
 * Describes the difference of the clocks. Latencies are counted up to a limit; larger ones follow from the start of the
 * metadata, as long as these do not overlap the pictures.
 */
function distanceOf({ runs, index }: ArrangedFile): string {
  const [span] = index.klvSpans;
  const run = runs.find((one) => one.run === span?.run);
  if (!span || !run || (span.min <= run.endTicks && span.max >= run.firstTicks)) {
    const side = (index.klv.latencyMs?.median ?? 0) < 0 ? 'later' : 'earlier';
    return `more than ${durationText(LATENCY_RANGE_MS / 1000)} ${side}`;
  }
  const ticks = span.min - run.firstTicks;
  // A negative difference appears wrapped, as almost the whole range of PTS.
  const seconds = (ticks - PTS_WRAP * Math.round(ticks / PTS_WRAP)) / TICKS_PER_SECOND;
  return `about ${durationText(Math.abs(seconds))} ${seconds < 0 ? 'earlier' : 'later'}`;
}
