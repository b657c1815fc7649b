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
