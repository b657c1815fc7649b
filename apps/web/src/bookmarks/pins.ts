import { mdiBookmark } from '@mdi/js';
import type { Bookmark } from '@osprey/contract';
import type { TimelineMark } from '../timeline/marks.ts';

/**
 * Returns the timeline pins of bookmarks. A bookmark whose frame was deleted has none, since there is nothing to see.
 */
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

/** Returns the number for the next bookmark with an automatic title: one above the highest existing one. */
export function nextNumber(bookmarks: readonly Pick<Bookmark, 'title'>[]): number {
  const numbers = bookmarks.flatMap(({ title }) => /^Mark (\d{1,6})$/.exec(title)?.[1] ?? []).map(Number);
  return Math.max(0, ...numbers) + 1;
}
