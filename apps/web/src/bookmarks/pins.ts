import { mdiBookmark } from '@mdi/js';
import type { Bookmark } from '@osprey/contract';
import type { TimelineMark } from '../timeline/marks.ts';

/** Pins of bookmarks; those whose frame is gone have none, since nothing is to be seen there. */
export const pinsOf = (bookmarks: readonly Bookmark[]): TimelineMark[] =>
  bookmarks
    .filter(({ state }) => state !== 'gone')
    .map(({ _id, time, sensorId, color, title }) => ({
      id: _id,
      timeUs: time,
      ...(sensorId !== null && { sensorId }),
      ink: color,
      icon: mdiBookmark,
      label: title,
    }));

/** The number after the highest of the marks without a name yet. */
export function nextNumber(bookmarks: readonly Pick<Bookmark, 'title'>[]): number {
  const numbers = bookmarks.flatMap(({ title }) => /^Mark (\d{1,6})$/.exec(title)?.[1] ?? []).map(Number);
  return Math.max(0, ...numbers) + 1;
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
