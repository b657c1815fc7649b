import type { HeardReceiver } from '@osprey/contract';

/** A ship is shown for so long after its last report by default: a receiver counts for the same time. */
const AFTER_US = 60_000_000;

/** Receivers of the day that heard nothing at a moment: the ships in their range are not known. */
export function silentAt(receivers: readonly HeardReceiver[], timeUs: number): HeardReceiver[] {
  return receivers.filter(({ spans }) => !spans.some(([from, to]) => timeUs >= from && timeUs < to + AFTER_US));
}

/** The times between the spans of a receiver, up to the ends of what was asked for. */
export function gapsOf(spans: HeardReceiver['spans'], { fromUs, toUs }: { fromUs: number; toUs: number }) {
  const gaps: { fromUs: number; toUs: number }[] = [];
  let at = fromUs;
  for (const [from, to] of spans) {
    if (from > at) gaps.push({ fromUs: at, toUs: from });
    at = Math.max(at, to);
  }
  if (at < toUs) gaps.push({ fromUs: at, toUs });
  return gaps;
}
