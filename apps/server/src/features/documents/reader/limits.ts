import type { Reading } from '../reading.ts';

/**
 * Result without findings. The contract is imported for its types only, so that the child process loads no more code
 * than it needs.
 */
export const nothingFound: Reading = {
  text: '',
  textScope: 'none',
  pages: null,
  geometry: null,
  thumbnail: null,
  problem: null,
  note: null,
};

/** Maximum length of the text that is searched: 1 MB. */
export const TEXT_MAX = 1_000_000;
export const THUMBNAIL_PX = 320;
/** Longer side of pictures for the screen, in pixels. */
export const PAGE_PX = 1800;
/** Maximum number of pixels of a picture that is decoded (trust.md 4.6). */
export const PIXELS_MAX = 100_000_000;
/** Maximum size of a file that is read, since the child process holds all of it in memory. */
export const FILE_MAX = 128 * 1024 * 1024;

/** Collects text up to `TEXT_MAX`. */
export function textCollector() {
  const parts: string[] = [];
  let length = 0;
  return {
    /** Adds text. Returns false when no space is left. */
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
