import type { HeardReceiver } from '@osprey/contract';

/**
 * Time for which a receiver counts as listening after a report, in microseconds; the same time for which a ship is
 * shown by default after its last report.
 */
const AFTER_US = 60_000_000;

/**
 * Returns the receivers of the day that received nothing at a moment, so that the ships in their range are not known.
 */
export function silentAt(receivers: readonly HeardReceiver[], timeUs: number): HeardReceiver[] {
  return receivers.filter(({ spans }) => !spans.some(([from, to]) => timeUs >= from && timeUs < to + AFTER_US));
}

/** Returns the times between the spans of a receiver, within the requested range. */
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
