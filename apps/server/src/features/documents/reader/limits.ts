import type { Reading } from '../reading.ts';

/** Only types come from the contract here: the child loads what it needs and no more. */
export const nothingFound: Reading = {
  text: '',
  textScope: 'none',
  pages: null,
  geometry: null,
  thumbnail: null,
  problem: null,
  note: null,
};

/** At most 1 MB of text is searched. */
export const TEXT_MAX = 1_000_000;
export const THUMBNAIL_PX = 320;
/** Pictures for the screen: the longer side. */
export const PAGE_PX = 1800;
/** trust.md 4.6. */
export const PIXELS_MAX = 100_000_000;
/** The whole file is in the memory of the child. */
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
