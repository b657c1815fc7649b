import { readStoredJson, writeStored } from '../../base/keys.ts';

/** Position of the first picture of a mission in the window, in px. */
export type Place = { left: number; top: number; width: number; height: number };

/** Positions for one window size, keyed by the number of pictures on screen. */
type Cached = { window: string; places: Record<string, Place> };

const KEY = 'firstPicture';

const windowSize = () => `${window.innerWidth}x${window.innerHeight}`;

function retained(): Cached {
  const read = readStoredJson(KEY) as Partial<Cached> | null;
  const existing = read?.window === windowSize() ? read.places : undefined;
  return { window: windowSize(), places: existing ?? {} };
}

/**
 * Returns the position of the first picture when a window of this size last showed this number of pictures; null if it
 * never did.
 */
export function placeOf(pictures: number): Place | null {
  const { left, top, width, height } = retained().places[pictures] ?? {};
  const isComplete = [left, top, width, height].every((px) => typeof px === 'number');
  return isComplete ? ({ left, top, width, height } as Place) : null;
}

export function keepPlace(pictures: number, { left, top, width, height }: Place): void {
  const { window, places } = retained();
  writeStored(KEY, JSON.stringify({ window, places: { ...places, [pictures]: { left, top, width, height } } }));
}

/** Discards the positions when the view is collapsed, so that the next visit starts without a picture. */
export const forgetPlaces = (): void => writeStored(KEY, null);
