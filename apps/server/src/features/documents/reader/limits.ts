import type { Reading } from '../reading.ts';

/** Result without findings. The contract is imported for types only, so that the child loads no more than it needs. */
export const nothingFound: Reading = {
  text: '',
  textScope: 'none',
  pages: null,
  geometry: null,
  thumbnail: null,
  problem: null,
  note: null,
};

/** Length of the text that is searched: 1 MB. */
export const TEXT_MAX = 1_000_000;
export const THUMBNAIL_PX = 320;
/** Longer side of pictures for the screen, in pixels. */
export const PAGE_PX = 1800;
/** Number of pixels of a picture that is decoded (trust.md 4.6). */
export const PIXELS_MAX = 100_000_000;
/** Size of a file that is read: all of it is in the memory of the child. */
export const FILE_MAX = 128 * 1024 * 1024;

/** Gathers text up to the limit. */
export function textCollector() {
  const parts: string[] = [];
  let length = 0;
  return {
    /** False once there is no room for more. */
    add(text: string): boolean {
      const room = TEXT_MAX - length;
      if (room > 0) parts.push(text.slice(0, room));
      length += text.length;
      return length <= TEXT_MAX;
    },
    found: (): Pick<Reading, 'text' | 'textScope'> => ({
      text: parts.join(''),
      textScope: length > TEXT_MAX ? 'part' : 'all',
    }),
  };
}
