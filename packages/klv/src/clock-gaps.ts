/** Minimum length of a gap, in microseconds: useful telemetry comes more often, even over a weak link. */
const GAP_US = 5_000_000;
/** Minimum length of a gap as a multiple of the usual step, for telemetry whose sets are sparse. */
const GAP_STEPS = 3;
/** Maximum number of long steps kept until the usual step is known; corresponds to 14 hours with one set every 5 s. */
const RETAINED_MAX = 10_000;

/** Step from the previous record to record number `index`, whose time is `timeUs`. */
export type ClockStep = { index: number; timeUs: number; stepUs: number };

/** Finds the steps between two records that are gaps in the telemetry rather than the rhythm of a slow encoder. */
export function createClockGaps() {
  const long: ClockStep[] = [];
  let short = 0;
  let shortUs = 0;

  /** Returns the usual step: the median of all steps or, if most steps are short, the mean of the short ones. */
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
