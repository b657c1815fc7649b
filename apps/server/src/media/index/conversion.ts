import { isBrowserPlayable } from '@osprey/mpegts';
import { type FileIndex, programsOf } from './file-index.ts';
import { needsConversion } from './sound.ts';

/**
 * Conversion that a file needs. `sound`: browsers can play the video as it is. `starts`: they can, but can begin at too
 * few pictures.
 */
export type Conversion = 'none' | 'sound' | 'starts' | 'all';

/** Determines which parts of a file must be converted before browsers can play all of it. */
export function conversionOf(
  index: Pick<FileIndex, 'video' | 'formats' | 'startsSeldom' | 'program' | 'moves'>,
): Conversion {
  const { video, formats = [], startsSeldom = false } = index;
  if (video === null) return 'none';
  if (![video, ...formats].every(isBrowserPlayable)) return 'all';
  if (startsSeldom) return 'starts';
  return programsOf(index).some(needsConversion) ? 'sound' : 'none';
}
