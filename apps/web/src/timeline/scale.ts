import { formatClock, formatDate, formatNumber, formatRemaining } from '../base/format.ts';

/** Visible span of a timeline, in UTC microseconds. */
export type Span = { fromUs: number; toUs: number };

/** Minimum length of the visible span, in microseconds. */
const LEAST_SPAN_US = 1_000_000;

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;

/** Possible steps between labelled ticks, in microseconds. */
const STEPS_US = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
  604_800, 2_592_000, 7_776_000, 31_536_000, 157_680_000, 630_720_000,
].map((seconds) => seconds * SECOND);

/** Minimum distance between labels, in px. */
const LABEL_PX = 84;

export const xOf = ({ fromUs, toUs }: Span, timeUs: number, width: number): number =>
  ((timeUs - fromUs) / (toUs - fromUs)) * width;

export const timeAt = ({ fromUs, toUs }: Span, x: number, width: number): number =>
  fromUs + (x / Math.max(1, width)) * (toUs - fromUs);

/** Moves a span inside the full span, keeping its length if that fits. */
export function clampSpan({ fromUs, toUs }: Span, fullSpan: Span): Span {
  const length = Math.min(
    Math.max(toUs - fromUs, LEAST_SPAN_US),
    Math.max(LEAST_SPAN_US, fullSpan.toUs - fullSpan.fromUs),
  );
  const from = Math.min(Math.max(fromUs, fullSpan.fromUs), Math.max(fullSpan.fromUs, fullSpan.toUs - length));
  return { fromUs: from, toUs: from + length };
}

/** Multiplies the length of the span by `factor`, while the moment under the pointer keeps its position. */
export function zoomAround(span: Span, factor: number, atUs: number, fullSpan: Span): Span {
  const longest = Math.max(LEAST_SPAN_US, fullSpan.toUs - fullSpan.fromUs);
  const length = Math.min(longest, Math.max(LEAST_SPAN_US, (span.toUs - span.fromUs) * factor));
  const share = (atUs - span.fromUs) / (span.toUs - span.fromUs);
  return clampSpan({ fromUs: atUs - share * length, toUs: atUs + (1 - share) * length }, fullSpan);
}

/** Current position of a finger on the track, in px, and the moment that it was put on. */
export type Grabbed = { x: number; timeUs: number };

/**
 * Returns the span in which both fingers are on the moments they were put on; the same span if both are at one
 * position.
 */
export function spanBetween(
  span: Span,
  [one, other]: readonly [Grabbed, Grabbed],
  width: number,
  fullSpan: Span,
): Span {
  const [left, right] = one.timeUs <= other.timeUs ? [one, other] : [other, one];
  const perPx = (right.timeUs - left.timeUs) / (right.x - left.x);
  if (!(perPx > 0) || !Number.isFinite(perPx)) return span;
  const longest = Math.max(LEAST_SPAN_US, fullSpan.toUs - fullSpan.fromUs);
  const length = Math.min(longest, Math.max(LEAST_SPAN_US, perPx * width));
  const fromUs = left.timeUs - (left.x / Math.max(1, width)) * length;
  return clampSpan({ fromUs, toUs: fromUs + length }, fullSpan);
}

export const panBy = (span: Span, deltaUs: number, fullSpan: Span): Span =>
  clampSpan({ fromUs: span.fromUs + deltaUs, toUs: span.toUs + deltaUs }, fullSpan);

/** Tolerance for the rounding of the clock to whole microseconds, so that an end of the view counts as in view. */
const ROUNDED_US = 1;

export const isInView = ({ fromUs, toUs }: Span, timeUs: number): boolean =>
  timeUs >= fromUs - ROUNDED_US && timeUs <= toUs + ROUNDED_US;

/** Returns a span in which the moment is visible with some room around it; the same span if it already is. */
export function reveal(span: Span, timeUs: number, fullSpan: Span): Span {
  if (isInView(span, timeUs)) return span;
  const length = span.toUs - span.fromUs;
  return clampSpan({ fromUs: timeUs - length * 0.1, toUs: timeUs + length * 0.9 }, fullSpan);
}

type Tick = { timeUs: number; label: string | null };

/** Returns labelled ticks as far apart as their labels need, and four shorter ones between two labels. */
export function ticksOf(span: Span, width: number): Tick[] {
  const perPx = (span.toUs - span.fromUs) / Math.max(1, width);
  const step = STEPS_US.find((one) => one >= perPx * LABEL_PX) ?? STEPS_US.at(-1)!;
  const minor = step / 5;
  const ticks: Tick[] = [];
  for (let at = Math.ceil(span.fromUs / minor); at * minor <= span.toUs; at += 1) {
    const isMajor = at % 5 === 0;
    ticks.push({ timeUs: at * minor, label: isMajor ? tickLabel(at * minor, step) : null });
  }
  return ticks;
}

function tickLabel(timeUs: number, stepUs: number): string {
  if (stepUs > 300 * 24 * HOUR) return formatDate(timeUs).slice(7);
  if (timeUs % (24 * HOUR) === 0) return formatDate(timeUs).slice(0, 6);
  if (stepUs < SECOND) return `${formatClock(timeUs).slice(6)}.${Math.floor((timeUs % SECOND) / 100_000)}`;
  return stepUs < 60 * SECOND ? formatClock(timeUs) : formatClock(timeUs).slice(0, 5);
}

/** Formats a duration in a suitable unit, from seconds to days. */
export function lengthText(lengthUs: number): string {
  const days = lengthUs / (24 * HOUR);
  return days > 3 ? `${formatNumber(days, days < 10 ? 1 : 0)} d` : formatRemaining(lengthUs / SECOND);
}

/** Formats the time of day with hundredths of a second: ["14:26:31", ".52"]. */
export function clockParts(timeUs: number): [clock: string, hundredths: string] {
  const hundredths = Math.floor((((timeUs % SECOND) + SECOND) % SECOND) / 10_000);
  return [formatClock(timeUs), `.${String(hundredths).padStart(2, '0')}`];
}

/**
 * Parses "14:26:31", "14:26" or a complete ISO date and time typed by a user, as UTC on the day of `nearUs`; null if it
 * is invalid.
 */
export function readMoment(text: string, nearUs: number): number | null {
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,6})?))?\s*Z?$/i.exec(text.trim());
  if (!clock) {
    const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text.trim()) ? text.trim() : `${text.trim()}Z`);
    return Number.isFinite(ms) ? ms * 1000 : null;
  }
  const [hours, minutes, seconds] = [Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds >= 60) return null;
  const day = Math.floor(nearUs / (24 * HOUR)) * 24 * HOUR;
  return Math.round(day + hours * HOUR + minutes * 60 * SECOND + seconds * SECOND);
}

/** Returns the bars of the target histogram as one SVG path, with the maximum in every few pixels. */
export function histogramPath(
  { binSeconds, counts }: { binSeconds: number; counts: readonly number[] },
  startUs: number,
  span: Span,
  { width, height }: { width: number; height: number },
): string {
  const most = counts.reduce((top, count) => Math.max(top, count), 0);
  if (most === 0 || binSeconds <= 0) return '';
  const bar = 3;
  const perBar = (span.toUs - span.fromUs) / Math.max(1, width / bar);
  let path = '';
  for (let x = 0; x < width; x += bar) {
    const from = (span.fromUs + (x / bar) * perBar - startUs) / (binSeconds * SECOND);
    const to = from + perBar / (binSeconds * SECOND);
    let top = 0;
    for (
      let bin = Math.max(0, Math.floor(from));
      bin < Math.min(counts.length, Math.max(to, Math.floor(from) + 1));
      bin += 1
    )
      top = Math.max(top, counts[bin] ?? 0);
    if (top > 0) path += `M${x} ${height}h${bar - 1}v${(-(top / most) * height).toFixed(1)}h${1 - bar}z`;
  }
  return path;
}
