/** A PTS, in unwrapped 90 kHz ticks, and the corresponding UTC in microseconds. */
export type Anchor = [ptsTicks: number, timeUs: number];

/**
 * Converts the clocks of one file to UTC. Within a run, times are interpolated between anchors; before the first and
 * after the last anchor they are extrapolated.
 */
export type Timebase = {
  /** `klv`: records contain their own time; `stream`: times are derived from PTS alone. */
  clock: 'klv' | 'stream';
  /** Length of one unit of the KLV clock, in microseconds: 1000 for streams that wrongly write milliseconds. */
  klvUnitUs: 1 | 1000;
  runs: { run: number; anchors: Anchor[] }[];
  /**
   * Microseconds added to every time: the start of a file that has relative times and, after `shifted`, the time shift
   * of the sensor.
   */
  shiftUs: number;
  /**
   * Maximum deviation of a record's own time from the line of its run, in microseconds; a record that deviates further
   * is dated by PTS. Absent: the own time is always used.
   */
  toleranceUs?: number;
};

const TICKS_PER_US = 0.09;

/** Returns the UTC of a PTS in a clock run, in microseconds; NaN for a run without anchors. */
export function utcOfPts(timebase: Timebase, run: number, ptsTicks: number): number {
  const anchors = timebase.runs.find((one) => one.run === run)?.anchors;
  return anchors === undefined ? Number.NaN : interpolate(anchors, ptsTicks) + timebase.shiftUs;
}

/** Returns the PTS that has this UTC in a clock run, in fractional ticks; NaN for a run without anchors. */
export function ptsOfUtc(timebase: Timebase, run: number, utcUs: number): number {
  const anchors = timebase.runs.find((one) => one.run === run)?.anchors;
  return anchors === undefined ? Number.NaN : interpolateBack(anchors, utcUs - timebase.shiftUs);
}

/** Returns the UTC of a record in whole microseconds; NaN if neither the KLV clock nor PTS yields it. */
export function utcOfRecord(timebase: Timebase, record: { klv: number; ptsTicks: number; run: number }): number {
  const { klv, ptsTicks, run } = record;
  const ownUs = timebase.clock === 'klv' ? klv * timebase.klvUnitUs + timebase.shiftUs : Number.NaN;
  if (!Number.isNaN(ownUs) && timebase.toleranceUs === undefined) return ownUs;
  const lineUs = utcOfPts(timebase, run, ptsTicks);
  if (Number.isNaN(lineUs)) return ownUs;
  return Math.abs(ownUs - lineUs) <= timebase.toleranceUs! ? ownUs : Math.round(lineUs);
}

function interpolate(anchors: readonly Anchor[], ptsTicks: number): number {
  if (Number.isNaN(ptsTicks) || anchors.length === 0) return Number.NaN;
  let low = 0;
  let high = anchors.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (anchors[middle]![0] <= ptsTicks) low = middle;
    else high = middle - 1;
  }
  const [ticks, timeUs] = anchors[low]!;
  const next = anchors[low + 1];
  if (next === undefined || ptsTicks < ticks) return timeUs + (ptsTicks - ticks) / TICKS_PER_US;
  return timeUs + ((ptsTicks - ticks) * (next[1] - timeUs)) / (next[0] - ticks);
}

/** Inverse of `interpolate`. From anchor to anchor, ticks and times both increase. */
function interpolateBack(anchors: readonly Anchor[], us: number): number {
  if (Number.isNaN(us) || anchors.length === 0) return Number.NaN;
  const at = Math.max(
    0,
    anchors.findLastIndex(([, timeUs]) => timeUs <= us),
  );
  const [ticks, timeUs] = anchors[at]!;
  const next = anchors[at + 1];
  if (next === undefined || us < timeUs) return ticks + (us - timeUs) * TICKS_PER_US;
  return ticks + ((us - timeUs) * (next[0] - ticks)) / (next[1] - timeUs);
}

/** Initial tolerance in microseconds, which covers the rounding of both clocks. */
const FIRST_TOLERANCE_US = 2;
const MAX_ANCHORS = 2000;

/**
 * Collects pairs of PTS and UTC, and keeps as anchors only those that linear interpolation between other anchors does
 * not already yield. If a noisy clock needs more than MAX_ANCHORS, the tolerance is doubled until fewer suffice.
 */
export function createAnchors() {
  const runs = new Map<number, Fit>();
  let toleranceUs = FIRST_TOLERANCE_US;

  return {
    add(run: number, ptsTicks: number, timeUs: number): void {
      let fit = runs.get(run);
      if (fit === undefined) {
        fit = new Fit();
        runs.set(run, fit);
      }
      fit.add(ptsTicks, timeUs, toleranceUs);
      if (fit.anchors.length <= MAX_ANCHORS) return;
      toleranceUs *= 2;
      const coarser = new Fit();
      for (const [ticks, us] of fit.finish()) coarser.add(ticks, us, toleranceUs);
      runs.set(run, coarser);
    },
    /** Returns the maximum deviation of a point from the lines, in microseconds. */
    toleranceUs: () => toleranceUs,
    finish: (): Timebase['runs'] => [...runs].map(([run, fit]) => ({ run, anchors: fit.finish() })),
  };
}

/** Fits lines to points: a line is extended as long as all points since its anchor are within the tolerance. */
class Fit {
  readonly anchors: Anchor[] = [];
  /**
   * The last point after the last anchor; NaN if there is none. Stored as two numbers, to avoid allocating an array for
   * each set.
   */
  #lastTicks = Number.NaN;
  #lastUs = Number.NaN;
  #lowest = Number.NEGATIVE_INFINITY;
  #highest = Number.POSITIVE_INFINITY;

  add(ptsTicks: number, timeUs: number, toleranceUs: number): void {
    const anchor = this.anchors[this.anchors.length - 1];
    if (anchor === undefined) {
      this.anchors.push([ptsTicks, timeUs]);
      return;
    }
    const isFirst = Number.isNaN(this.#lastTicks);
    if (ptsTicks <= (isFirst ? anchor[0] : this.#lastTicks) || timeUs <= (isFirst ? anchor[1] : this.#lastUs)) return;
    const slope = (timeUs - anchor[1]) / (ptsTicks - anchor[0]);
    if (!isFirst && (slope < this.#lowest || slope > this.#highest)) {
      this.anchors.push([this.#lastTicks, this.#lastUs]);
      this.#lastTicks = Number.NaN;
      this.#lowest = Number.NEGATIVE_INFINITY;
      this.#highest = Number.POSITIVE_INFINITY;
      this.add(ptsTicks, timeUs, toleranceUs);
      return;
    }
    const reach = toleranceUs / (ptsTicks - anchor[0]);
    this.#lowest = Math.max(this.#lowest, slope - reach);
    this.#highest = Math.min(this.#highest, slope + reach);
    this.#lastTicks = ptsTicks;
    this.#lastUs = timeUs;
  }

  finish(): Anchor[] {
    if (Number.isNaN(this.#lastTicks)) return [...this.anchors];
    return [...this.anchors, [this.#lastTicks, this.#lastUs]];
  }
}
