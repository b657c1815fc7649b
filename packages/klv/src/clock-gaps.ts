/** Shortest step that can be a gap, microseconds: useful telemetry comes more often, even over a weak link. */
const GAP_US = 5_000_000;
/** A step of this number of usual steps is a gap, where sets come seldom. */
const GAP_STEPS = 3;
/** Most long steps kept until the usual step is known: 14 hours of a set in 5 s. */
const RETAINED_MAX = 10_000;

/** Step from the previous record to record number `index`, whose time is `timeUs`. */
export type ClockStep = { index: number; timeUs: number; stepUs: number };

/** Finds steps between two records that are gaps in the telemetry, not a slow encoder. */
export function createClockGaps() {
  const long: ClockStep[] = [];
  let short = 0;
  let shortUs = 0;

  /** The median, or where most steps are short their mean. */
  function usualUs(): number {
    if (short >= long.length) return short === 0 ? 0 : shortUs / short;
    const sorted = long.map(({ stepUs }) => stepUs).sort((a, b) => a - b);
    return sorted[((short + sorted.length) >> 1) - short]!;
  }

  return {
    add(step: ClockStep): void {
      if (step.stepUs >= GAP_US) {
        if (long.length < RETAINED_MAX) long.push(step);
        return;
      }
      short += 1;
      shortUs += step.stepUs;
    },

    gaps(): ClockStep[] {
      const leastUs = GAP_STEPS * usualUs();
      return long.filter(({ stepUs }) => stepUs >= leastUs);
    },
  };
}
