import type { TimelineSpan } from './marks.ts';

/** Maximum number of lanes, one below the other, for spans that overlap. */
export const LANES_MAX = 3;

/** Bar of a lane: one span, or, in the last lane, all spans that found no free lane. */
export type LaneBar = { lane: number; fromUs: number; toUs: number; spans: TimelineSpan[] };

/** Distributes spans, sorted by start, to as few lanes as possible. */
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
