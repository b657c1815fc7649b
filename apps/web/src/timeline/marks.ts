import { createContext, useContext } from 'react';
import { type Span, xOf } from './scale.ts';

/** A moment, or a part of the mission, that has a pin on the timeline. */
export type TimelineMark = {
  id: string;
  /** UTC microseconds. */
  timeUs: number;
  /** End of a mark that lasts, UTC microseconds. */
  endUs?: number;
  /** The sensor that it was made in. Left out: it is of the whole mission. */
  sensorId?: string;
  /** CSS colour of its kind. */
  ink: string;
  /** Path of the icon of its kind, 24 by 24. */
  icon?: string;
  /** As its author wrote it. */
  label: string;
};

/** In and Out, UTC microseconds; each is null until it is set. In is never after Out. */
export type Selection = { inUs: number | null; outUs: number | null };

export type SelectionControl = Selection & { onChange: (selection: Selection) => void };

/** Marks and selection of features on the timeline of a mission. Left out: not drawn. */
export type TimelineExtras = {
  marks?: readonly TimelineMark[];
  selection?: SelectionControl;
  hits?: TimelineHits;
  spans?: TimelineSpans;
};

/** A time that lasts, with a name: a ship that was in the picture. */
export type TimelineSpan = {
  id: string;
  timeUs: number;
  endUs: number;
  label: string;
  /** Tooltip of the mark, also read by screen readers. */
  hint: string;
  chosen: boolean;
  /** True if the mark is not certain, so that it is drawn faded. */
  faded: boolean;
};

/** A row of times that last, between those of the sensors and the pins. Keep the array between draws. */
export type TimelineSpans = {
  label: string;
  icon: string;
  /** Name of a bar of several, with {count}. */
  several: string;
  /** In the order of their beginnings. */
  spans: readonly TimelineSpan[];
  /** Number at the end of the label. */
  count: number;
  onChoose: (id: string) => void;
};

/** When a sensor met what was asked for, as a chart below its rows. */
export type TimelineHits = {
  label: string;
  /** By time; `share` of each is above 0 and at most 1. Empty: nothing was found. Null: it is being read. */
  bins: readonly { timeUs: number; share: number }[] | null;
  /** Length of a bin, microseconds. */
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

/** A page puts its value around the mission view, in a component of its own: then only the timeline is drawn again. */
export const TimelineExtrasContext = createContext<TimelineExtras>({});

/**
 * Returns In and Out of the surrounding view; null if nothing can be selected. The caller renders again when they
 * change.
 */
export const useSelection = (): SelectionControl | null => useContext(TimelineExtrasContext).selection ?? null;

/** Marks by time, so that those in view are found without reading the others. */
export type SortedMarks = {
  marks: readonly TimelineMark[];
  times: Float64Array;
  /** Marks among them that have a duration. */
  lasting: readonly TimelineMark[];
};

export function sortMarks(given: readonly TimelineMark[]): SortedMarks {
  const marks = given.filter(({ timeUs }) => Number.isFinite(timeUs)).sort((a, b) => a.timeUs - b.timeUs);
  const times = Float64Array.from(marks, ({ timeUs }) => timeUs);
  return { marks, times, lasting: marks.filter(({ endUs }) => endUs !== undefined) };
}

/** One pin: the marks from index `from` up to `to`, excluded; `x` and the room up to the next pin in px. */
export type Pin = { from: number; to: number; x: number; room: number };

/**
 * Pins in view. Marks within `pinPx` of the first mark of a pin belong to it, so pins never overlap. Panning does not
 * regroup them: groups are counted from the last gap of `pinPx` before the view.
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

/** Marks that last, as one SVG path for each colour, y = 0. Bars that touch are one, so a path never has more parts than px. */
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

/** Index of the first time at or after `timeUs`, from index `from` on; the length where there is none. */
function firstAtOrAfter(times: Float64Array, timeUs: number, from = 0): number {
  let [low, high] = [from, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < timeUs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sets one end at the clock's time. The other one is cleared if it would be on the wrong side. */
export function setEnd({ inUs, outUs }: Selection, end: keyof Selection, timeUs: number): Selection {
  if (end === 'inUs') return { inUs: timeUs, outUs: outUs !== null && outUs < timeUs ? null : outUs };
  return { inUs: inUs !== null && inUs > timeUs ? null : inUs, outUs: timeUs };
}

/** The selection between two moments, in any order. */
export const between = (oneUs: number, otherUs: number): Selection => ({
  inUs: Math.round(Math.min(oneUs, otherUs)),
  outUs: Math.round(Math.max(oneUs, otherUs)),
});

/** The selection with one end moved: it stays in the mission and does not pass the other end. */
export function moveEnd(selection: Selection, end: keyof Selection, timeUs: number, fullSpan: Span): Selection {
  const { inUs, outUs } = selection;
  const [least, most] =
    end === 'inUs' ? [fullSpan.fromUs, outUs ?? fullSpan.toUs] : [inUs ?? fullSpan.fromUs, fullSpan.toUs];
  return { inUs, outUs, [end]: Math.round(Math.max(least, Math.min(timeUs, most))) };
}

/** While it plays, the mark that was just passed is not the one before. */
const PASSED_US = 700_000;

/** The mark before or after a moment; null where there is none. */
export function neighbour(
  marks: readonly Pick<TimelineMark, 'timeUs'>[],
  timeUs: number,
  { direction, playing }: { direction: 1 | -1; playing: boolean },
): number | null {
  const times = marks.map((mark) => mark.timeUs).sort((a, b) => a - b);
  if (direction === 1) return times.find((time) => time > timeUs) ?? null;
  return times.findLast((time) => time < timeUs - (playing ? PASSED_US : 0)) ?? null;
}
