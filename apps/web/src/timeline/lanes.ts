import type { TimelineSpan } from './marks.ts';

/** Spans that overlap are drawn in lanes one below the other; no more than so many. */
export const LANES_MAX = 3;

/** A bar of a lane: one span, or in the last lane those that have no lane of their own. */
export type LaneBar = { lane: number; fromUs: number; toUs: number; spans: TimelineSpan[] };

/** Lays spans, in the order of their beginnings, into as few lanes as they need. */
export function lanesOf(spans: readonly TimelineSpan[]): { bars: LaneBar[]; lanes: number } {
  const bars: LaneBar[] = [];
  const last: LaneBar[] = [];
  for (const span of spans) {
    const free = last.findIndex(({ toUs }) => toUs <= span.timeUs);
    const lane = free >= 0 ? free : Math.min(last.length, LANES_MAX - 1);
    const before = last[lane];
    if (before && before.toUs > span.timeUs) {
      before.spans.push(span);
      before.toUs = Math.max(before.toUs, span.endUs);
      continue;
    }
    const bar = { lane, fromUs: span.timeUs, toUs: span.endUs, spans: [span] };
    last[lane] = bar;
    bars.push(bar);
  }
  return { bars, lanes: last.length };
}
