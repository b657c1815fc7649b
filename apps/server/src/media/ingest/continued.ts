import type { KlvHealth, SensorTimeline } from '@osprey/contract';
import type { FileReading } from '../../base/items/tables.ts';

/** A file at its position on the sensor's timeline; times in UTC microseconds. */
type PlacedFile = {
  id: string;
  name: string;
  startUs: number;
  endUs: number;
  timeSource: SensorTimeline['timeSource'];
  reading?: FileReading | null;
};

/**
 * Maximum time between the parts of a split recording, in microseconds, since a recorder's clock shows whole seconds.
 */
export const JOINED_US = 1_000_000;

/** Name of a GoPro chapter: kind of the video, chapter, and recording. */
const GOPRO = /^(g[xhlp])(\d\d)(\d{4})(?=\.|$)/i;
/** Cameras up to the HERO5 name the first chapter `GOPR0042`, and the next ones `GP010042`. */
const withFirstChapter = (name: string): string => name.replace(/^gopr(?=\d{4}(?:\.|$))/i, 'GP00');

/**
 * Returns whether the name of a recording continues another one: one number in it is higher by one and all else is
 * equal, as in `DJI_0012.MP4` after `DJI_0011.MP4`. In `GX020034.MP4` after `GX010034.MP4`, and `GP010034.MP4` after
 * `GOPR0034.MP4`, the first two digits count the chapters.
 */
export function continuesName(before: string, after: string): boolean {
  const parts = [before, after].map((name) => withFirstChapter(name.replace(/\.[^.]*$/, '')).toLowerCase());
  const gopro = parts.map((name) => GOPRO.exec(name));
  if (gopro[0] && gopro[1]) {
    const [, [, brand, chapter, id]] = gopro as [RegExpExecArray, RegExpExecArray];
    return gopro[0][1] === brand && gopro[0][3] === id && Number(chapter) === Number(gopro[0][2]) + 1;
  }
  const [one, other] = parts.map((name) => name.split(/(\d+)/)) as [string[], string[]];
  if (one.length !== other.length) return false;
  const apart = one.flatMap((part, n) => (part === other[n] ? [] : [n]));
  const [only, second] = apart;
  // The parts with odd index are numbers.
  return only !== undefined && second === undefined && only % 2 === 1 && Number(other[only]) === Number(one[only]) + 1;
}

/**
 * Swaps chapter and recording number in the name of a GoPro chapter, so that sorted names keep the chapters of a
 * recording together.
 */
export const chaptersTogether = (name: string): string => withFirstChapter(name).replace(GOPRO, '$1$3-$2');

type Continuation = NonNullable<KlvHealth['continuations']>[number];

/** Lists files whose names continue others although their times do not, and files that a user joined. */
export function continuationsOf(files: readonly PlacedFile[]): Continuation[] {
  return files.flatMap((file, n): Continuation[] => {
    const before = files[n - 1];
    if (before === undefined || !mayFollow(file) || !mayFollow(before)) return [];
    if (!continuesName(before.name, file.name)) return [];
    const isJoined = file.reading?.joined === true;
    const gapSeconds = (file.startUs - before.endUs) / 1e6;
    if (!isJoined && gapSeconds * 1e6 < JOINED_US) return [];
    return [
      {
        fileId: file.id,
        name: file.name,
        before: before.name,
        gapSeconds: isJoined ? 0 : gapSeconds,
        joined: isJoined,
      },
    ];
  });
}

/** True if the time of a file comes from outside of its stream; a clock in the stream would be more reliable. */
const mayFollow = ({ timeSource }: Pick<PlacedFile, 'timeSource'>): boolean =>
  timeSource === 'container' || timeSource === 'name' || timeSource === 'file' || timeSource === 'upload';
