import { isBrowserPlayable } from '@osprey/mpegts';
import { type FileIndex, programsOf } from './file-index.ts';
import { needsConversion } from './sound.ts';

/** `sound`: browsers play the pictures as they are. `starts`: they do, but can begin at too few of them. */
export type Conversion = 'none' | 'sound' | 'starts' | 'all';

/** The parts of a file that must be converted before browsers play all of it. */
export function conversionOf(
  index: Pick<FileIndex, 'video' | 'formats' | 'startsSeldom' | 'program' | 'moves'>,
): Conversion {
  const { video, formats = [], startsSeldom = false } = index;
  if (video === null) return 'none';
  if (![video, ...formats].every(isBrowserPlayable)) return 'all';
  if (startsSeldom) return 'starts';
  return programsOf(index).some(needsConversion) ? 'sound' : 'none';
}
