import { createContext, useContext } from 'react';
import { type Span, xOf } from './scale.ts';

/** A moment or part of the mission that is shown as a pin on the timeline. */
export type TimelineMark = {
  id: string;
  /** Time, or start, in UTC microseconds. */
  timeUs: number;
  /** End of a mark with a duration, in UTC microseconds. */
  endUs?: number;
  /** Sensor to which the mark belongs; if omitted, it belongs to the whole mission. */
  sensorId?: string;
  /** CSS colour for this kind of mark. */
  ink: string;
  /** SVG path of the icon for this kind of mark, on a 24 by 24 grid. */
  icon?: string;
  /** Label as written by the author. */
  label: string;
};

/** In and Out points in UTC microseconds; each is null until it is set. In is never after Out. */
export type Selection = { inUs: number | null; outUs: number | null };

export type SelectionControl = Selection & { onChange: (selection: Selection) => void };

/** Marks and selection that features add to the timeline of a mission. Omitted parts are not drawn. */
export type TimelineExtras = {
  marks?: readonly TimelineMark[];
  selection?: SelectionControl;
  hits?: TimelineHits;
  spans?: TimelineSpans;
};

/** A span of time with a name, such as a ship that was in the picture. */
export type TimelineSpan = {
  id: string;
  timeUs: number;
  endUs: number;
  label: string;
  /** Tooltip of the mark, also read by screen readers. */
  hint: string;
  chosen: boolean;
  /** The mark is uncertain, so it is drawn faded. */
  faded: boolean;
};

/**
 * A row of spans, between the rows of sensors and the pins. Pass the same array in each render while it does not
 * change.
 */
export type TimelineSpans = {
  label: string;
  icon: string;
  /** Name of a bar that combines several spans, with {count}. */
  several: string;
  /** Spans sorted by start. */
  spans: readonly TimelineSpan[];
  /** Number at the end of the label. */
  count: number;
  onChoose: (id: string) => void;
};

/** Times at which a sensor matched a query, shown as a chart below its rows. */
export type TimelineHits = {
  label: string;
  /** Bins sorted by time; `share` of each is above 0 and at most 1. Empty if nothing was found; null while loading. */
  bins: readonly { timeUs: number; share: number }[] | null;
  /** Duration of a bin, in microseconds. */
  binUs: number;
  onClose: () => void;
};

const WEIGHT = 0.5;

/** Shares smoothed for a chart: half of each is its own, half the mean of its neighbours in time (specification 2, section 9). */
export function smoothed({ bins, binUs }: Pick<TimelineHits, 'bins' | 'binUs'>): { timeUs: number; share: number }[] {
  const own = new Map((bins ?? []).map(({ timeUs, share }) => [timeUs, share]));
  const at = (timeUs: number) => own.get(timeUs) ?? 0;
  return [...own].map(([timeUs, share]) => {
    const around = (at(timeUs - binUs) + at(timeUs + binUs)) / 2;
    return { timeUs, share: share * (1 - WEIGHT) + around * WEIGHT };
  });
}

/**
 * Provided by a page around the mission view, in a component of its own, so that a change renders only the timeline.
 */
export const TimelineExtrasContext = createContext<TimelineExtras>({});

/**
 * Returns In and Out of the surrounding view; null if nothing can be selected. The caller is rendered when they change.
 */
export const useSelection = (): SelectionControl | null => useContext(TimelineExtrasContext).selection ?? null;

/** Marks sorted by time, so that those in view are found without scanning the others. */
export type SortedMarks = {
  marks: readonly TimelineMark[];
  times: Float64Array;
  /** The marks among them that have a duration. */
  lasting: readonly TimelineMark[];
};

export function sortMarks(given: readonly TimelineMark[]): SortedMarks {
  const marks = given.filter(({ timeUs }) => Number.isFinite(timeUs)).sort((a, b) => a.timeUs - b.timeUs);
  const times = Float64Array.from(marks, ({ timeUs }) => timeUs);
  return { marks, times, lasting: marks.filter(({ endUs }) => endUs !== undefined) };
}

/** One pin: the marks from index `from` up to but not including `to`; `x` and the room up to the next pin are in px. */
export type Pin = { from: number; to: number; x: number; room: number };

/**
 * Returns the pins in view. Marks within `pinPx` of a pin's first mark belong to that pin, so pins never overlap.
 * Panning does not regroup them, since grouping starts after the last gap of `pinPx` before the view.
 */
export function pinsOf({ times }: SortedMarks, span: Span, width: number, pinPx: number): Pin[] {
  if (width <= 0) return [];
  const gapUs = ((span.toUs - span.fromUs) * pinPx) / width;
  let from = firstAtOrAfter(times, span.fromUs - gapUs);
  while (from > 0 && times[from]! - times[from - 1]! < gapUs) from -= 1;
  const pins: Pin[] = [];
  while (from < times.length && times[from]! <= span.toUs) {
    const to = Math.max(from + 1, firstAtOrAfter(times, times[from]! + gapUs, from));
    const x = xOf(span, times[from]!, width);
    if (x > -pinPx) pins.push({ from, to, x, room: Math.max(0, width - x) });
    from = to;
  }
  for (const [index, pin] of pins.entries()) pin.room = (pins[index + 1]?.x ?? pin.x + pin.room) - pin.x;
  return pins;
}

/**
 * Returns the marks with a duration as one SVG path per colour, at y = 0. Bars that touch are merged, so that a path
 * never has more parts than pixels.
 */
export function barsOf({ lasting }: SortedMarks, span: Span, width: number): Map<string, string> {
  const open = new Map<string, { from: number; to: number; path: string }>();
  for (const { timeUs, endUs = timeUs, ink } of lasting) {
    if (timeUs > span.toUs) break;
    if (endUs < span.fromUs) continue;
    const from = Math.max(0, Math.floor(xOf(span, timeUs, width)));
    const to = Math.min(width, Math.ceil(xOf(span, endUs, width)));
    const bar = open.get(ink);
    if (bar && from <= bar.to) bar.to = Math.max(bar.to, to);
    else open.set(ink, { from, to, path: bar ? pathOf(bar) : '' });
  }
  return new Map([...open].map(([ink, bar]) => [ink, pathOf(bar)]));
}

const pathOf = ({ from, to, path }: { from: number; to: number; path: string }) => `${path}M${from} 0H${to}`;

/** Returns the index of the first time at or after `timeUs`, starting at index `from`; the length if there is none. */
function firstAtOrAfter(times: Float64Array, timeUs: number, from = 0): number {
  let [low, high] = [from, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < timeUs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the selection with one end set to the clock's time. The other end is cleared if it would be on the wrong
 * side.
 */
export function setEnd({ inUs, outUs }: Selection, end: keyof Selection, timeUs: number): Selection {
  if (end === 'inUs') return { inUs: timeUs, outUs: outUs !== null && outUs < timeUs ? null : outUs };
  return { inUs: inUs !== null && inUs > timeUs ? null : inUs, outUs: timeUs };
}

/** Returns the selection between two moments, given in any order. */
export const between = (oneUs: number, otherUs: number): Selection => ({
  inUs: Math.round(Math.min(oneUs, otherUs)),
  outUs: Math.round(Math.max(oneUs, otherUs)),
});

/** Returns the selection with one end moved, limited to the mission and the other end. */
export function moveEnd(selection: Selection, end: keyof Selection, timeUs: number, fullSpan: Span): Selection {
  const { inUs, outUs } = selection;
  const [least, most] =
    end === 'inUs' ? [fullSpan.fromUs, outUs ?? fullSpan.toUs] : [inUs ?? fullSpan.fromUs, fullSpan.toUs];
  return { inUs, outUs, [end]: Math.round(Math.max(least, Math.min(timeUs, most))) };
}

/** Time for which a mark that was just passed during playback does not count as the previous one, in microseconds. */
const PASSED_US = 700_000;

/** Returns the time of the mark before or after a moment; null if there is none. */
export function neighbour(
  marks: readonly Pick<TimelineMark, 'timeUs'>[],
  timeUs: number,
  { direction, playing }: { direction: 1 | -1; playing: boolean },
): number | null {
  const times = marks.map((mark) => mark.timeUs).sort((a, b) => a - b);
  if (direction === 1) return times.find((time) => time > timeUs) ?? null;
  return times.findLast((time) => time < timeUs - (playing ? PASSED_US : 0)) ?? null;
}
