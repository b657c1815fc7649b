import { isBrowserPlayable } from '@osprey/mpegts';
import { type FileIndex, programsOf } from './file-index.ts';
import { needsConversion } from './sound.ts';

/** `sound`: browsers play the pictures as they are. */
export type Conversion = 'none' | 'sound' | 'all';

/** What must be converted of a file before browsers play all of it. */
export function conversionOf(index: Pick<FileIndex, 'video' | 'formats' | 'program' | 'moves'>): Conversion {
  const { video, formats = [] } = index;
  if (video === null) return 'none';
  if (![video, ...formats].every(isBrowserPlayable)) return 'all';
  return programsOf(index).some(needsConversion) ? 'sound' : 'none';
}
