import type { Readable } from 'node:stream';
import type { Packeting, Program, SegmentMap, VideoFormat } from '@osprey/mpegts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import type { TagStatistics } from '../../telemetry/writer.ts';
import type { KlvSurvey } from './klv-survey.ts';
import type { PictureClock } from './picture-clock.ts';
import type { VideoMove } from './shown-program.ts';
import type { StreamAis } from './stream-ais.ts';

/** Version of indexes. Increase it when older indexes can no longer be read; their files are then read again. */
export const INDEX_VERSION = 1;

/** Index of one transport stream, made by ingest; its telemetry and its segments are in separate files. */
export type FileIndex = {
  version: typeof INDEX_VERSION;
  fileId: string;
  sizeBytes: number;
  /** Storage keys; null if there is no telemetry or no picture, respectively. */
  telemetryKey: string | null;
  segmentsKey: string | null;
  packeting: Packeting | null;
  program: Program | null;
  /** Points at which the video continues in another stream; absent if there are none. */
  moves?: VideoMove[];
  /** Number of programs that are not shown. */
  otherPrograms: number;
  /** Null if nothing can be played. */
  video: VideoFormat | null;
  /** Present if players could begin at too few of the pictures. */
  startsSeldom?: true;
  /** Present if there are pictures, but none with a time. */
  isUntimed?: true;
  /** All video formats, if there are several. */
  formats?: VideoFormat[];
  /** PIDs of the program that contain packets but are not used: further videos, and audio of an unknown codec. */
  leftOut?: { videos: number[]; sounds: number[] };
  /** Offsets at which each audio stream that browsers can play begins; absent in indexes of older versions. */
  sounds?: { pid: number; offset: number }[];
  runs: SegmentMap['runs'];
  rangesPlayable: boolean;
  reasons: string[];
  frames: number;
  /** Range of the telemetry's PTS, for each run of the clock. */
  klvSpans: { run: number; min: number; max: number }[];
  klv: KlvSurvey;
  /** Absent if the pictures contain no times, and in older indexes. */
  pictureClock?: PictureClock;
  /** Private data streams with AIS sentences; absent if there are none, and in older indexes. */
  ais?: StreamAis[];
  records: number;
  tags: TagStatistics[];
  transport: Record<string, number>;
  trailingBytes: number;
  patSeen: boolean;
  /**
   * Number of bytes that contain packets of the video before the first PMT of its program; absent if there are none,
   * and in older indexes.
   */
  beforeTables?: number;
};

/** Segments and key frames as arrays of numbers, since a recording of a day has some hundred thousand of them. */
export type StoredSegments = {
  /** For each segment: offset, sizeBytes, startTicks, durationTicks, run. */
  segments: [number, number, number, number, number][];
  /** For each key frame: offset, ptsTicks, run. */
  keyframes: [number, number, number][];
};

export const indexFolder = (sensorId: string): string => `indexes/${sensorId}`;
export const fileIndexKey = (sensorId: string, fileId: string): string => `${indexFolder(sensorId)}/${fileId}.json`;

export async function putJson(storage: Storage, key: string, value: unknown): Promise<void> {
  await storage.put(key, [new TextEncoder().encode(JSON.stringify(value))]);
}

/** Reads and parses a JSON file of an index. @throws IndexDamaged */
export async function getJson<T>(storage: Pick<Storage, 'read'>, key: string): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of storage.read(key) as Readable) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as T;
  } catch (error) {
    throw new IndexDamaged(key, error);
  }
}

/** Does the same; null if there is no such file. @throws IndexDamaged */
export async function findJson<T>(storage: Pick<Storage, 'read'>, key: string): Promise<T | null> {
  try {
    return await getJson<T>(storage, key);
  } catch (error) {
    if (error instanceof NotStored) return null;
    throw error;
  }
}

/** Returns the program before the video moved to another stream, and after each move. */
export const programsOf = ({ program, moves = [] }: Pick<FileIndex, 'program' | 'moves'>): Program[] =>
  [program, ...moves.map((move) => move.program)].filter((one) => one !== null);

/** Returns the program that is valid in a run of the clock. */
export function programOfRun<Of extends { program: Program | null; moves?: VideoMove[] | undefined }>(
  { program, moves }: Of,
  run: number,
): Of['program'] {
  return moves?.findLast((move) => move.run <= run)?.program ?? program;
}

/**
 * Reads the index of a recording, or of another kind of file; null if there is none yet, or if it is of an older
 * version or damaged.
 */
export async function readFileIndex<Index extends Pick<FileIndex, 'version'> = FileIndex>(
  storage: Pick<Storage, 'read'>,
  sensorId: string,
  fileId: string,
): Promise<Index | null> {
  const index = await findJson<Index>(storage, fileIndexKey(sensorId, fileId)).catch((error) => {
    if (error instanceof IndexDamaged) return null;
    throw error;
  });
  return index?.version === INDEX_VERSION ? index : null;
}

export const toStoredSegments = ({ segments, keyframes }: SegmentMap): StoredSegments => ({
  segments: segments.map((one) => [one.offset, one.sizeBytes, one.startTicks, one.durationTicks, one.run]),
  keyframes: keyframes.map((one) => [one.offset, one.ptsTicks, one.run]),
});
