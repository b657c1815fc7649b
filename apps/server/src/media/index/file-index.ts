import type { Readable } from 'node:stream';
import type { Packeting, Program, SegmentMap, VideoFormat } from '@osprey/mpegts';
import type { Storage } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import type { TagStatistics } from '../../telemetry/writer.ts';
import type { KlvSurvey } from './klv-survey.ts';
import type { PictureClock } from './picture-clock.ts';
import type { VideoMove } from './shown-program.ts';
import type { StreamAis } from './stream-ais.ts';

/** Version of indexes. Raise it when older ones can no longer be read: their files are then read again. */
export const INDEX_VERSION = 1;

/** Index that ingest makes of one transport stream, besides its telemetry and its segments. */
export type FileIndex = {
  version: typeof INDEX_VERSION;
  fileId: string;
  sizeBytes: number;
  /** Storage keys; null without telemetry or without a picture. */
  telemetryKey: string | null;
  segmentsKey: string | null;
  packeting: Packeting | null;
  program: Program | null;
  /** Where the video goes on as another stream; absent where it does not. */
  moves?: VideoMove[];
  /** Programs that were left aside. */
  otherPrograms: number;
  /** Null where nothing of it can be played. */
  video: VideoFormat | null;
  /** Players could begin at too few of its pictures. */
  startsSeldom?: true;
  /** Pictures came, and none with a time. */
  isUntimed?: true;
  /** All formats, where there are several. */
  formats?: VideoFormat[];
  /** PIDs of the program that sent packets and are not shown: more videos, and sound of an unknown coding. */
  leftOut?: { videos: number[]; sounds: number[] };
  /** Where each sound begins that browsers play; absent in indexes of older versions. */
  sounds?: { pid: number; offset: number }[];
  runs: SegmentMap['runs'];
  rangesPlayable: boolean;
  reasons: string[];
  frames: number;
  /** PTS of telemetry for each run of the clock. */
  klvSpans: { run: number; min: number; max: number }[];
  klv: KlvSurvey;
  /** Absent where pictures say no time of their own, and from older indexes. */
  pictureClock?: PictureClock;
  /** Private data streams with AIS sentences; absent where there are none, and from older indexes. */
  ais?: StreamAis[];
  records: number;
  tags: TagStatistics[];
  transport: Record<string, number>;
  trailingBytes: number;
  patSeen: boolean;
  /** Bytes with packets of the video before the first map of its program; absent where there are none, and from older indexes. */
  beforeTables?: number;
};

/** Segments and keyframes in columns: a recording of a day has some hundred thousand of them. */
export type StoredSegments = {
  /** offset, sizeBytes, startTicks, durationTicks, run of each segment. */
  segments: [number, number, number, number, number][];
  /** offset, ptsTicks, run of each keyframe. */
  keyframes: [number, number, number][];
};

export const indexFolder = (sensorId: string): string => `indexes/${sensorId}`;
export const fileIndexKey = (sensorId: string, fileId: string): string => `${indexFolder(sensorId)}/${fileId}.json`;

export async function putJson(storage: Storage, key: string, value: unknown): Promise<void> {
  await storage.put(key, [new TextEncoder().encode(JSON.stringify(value))]);
}

/** Reads JSON of an index. @throws IndexDamaged */
export async function getJson<T>(storage: Pick<Storage, 'read'>, key: string): Promise<T> {
  const parts: Buffer[] = [];
  for await (const part of storage.read(key) as Readable) parts.push(part as Buffer);
  try {
    return JSON.parse(Buffer.concat(parts).toString()) as T;
  } catch (error) {
    throw new IndexDamaged(key, error);
  }
}

/** The program as it was until the video moved, and after each move. */
export const programsOf = ({ program, moves = [] }: Pick<FileIndex, 'program' | 'moves'>): Program[] =>
  [program, ...moves.map((move) => move.program)].filter((one) => one !== null);

/** The tables that hold in a run of the clock. */
export function programOfRun<Of extends { program: Program | null; moves?: VideoMove[] | undefined }>(
  { program, moves }: Of,
  run: number,
): Of['program'] {
  return moves?.findLast((move) => move.run <= run)?.program ?? program;
}

/**
 * The index of a recording, or of another kind of file; null when it was not read yet, or by an older version, or is
 * damaged.
 */
export async function readFileIndex<Index extends Pick<FileIndex, 'version'> = FileIndex>(
  storage: Pick<Storage, 'read' | 'stat'>,
  sensorId: string,
  fileId: string,
): Promise<Index | null> {
  const key = fileIndexKey(sensorId, fileId);
  if ((await storage.stat(key)) === null) return null;
  const index = await getJson<Index>(storage, key).catch((error) => {
    if (error instanceof IndexDamaged) return null;
    throw error;
  });
  return index?.version === INDEX_VERSION ? index : null;
}

export const toStoredSegments = ({ segments, keyframes }: SegmentMap): StoredSegments => ({
  segments: segments.map((one) => [one.offset, one.sizeBytes, one.startTicks, one.durationTicks, one.run]),
  keyframes: keyframes.map((one) => [one.offset, one.ptsTicks, one.run]),
});
