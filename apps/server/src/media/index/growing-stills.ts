import { createDemuxer, leadingVideo, PACKET_SIZE, type Packeting, type Program } from '@osprey/mpegts';
import { originalKey } from '../../base/storage/originals.ts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { findJson, putJson } from './file-index.ts';
import { pictureKey } from './picture-files.ts';

/** Minimum interval between two pictures along a recording, in microseconds. */
export const STILL_STEP_US = 10_000_000;
/** Maximum number of bytes given to the decoder for one picture; coded pictures are smaller. */
export const MAX_PICTURE_BYTES = 8 * 1024 * 1024;
/** Size of the head of a file, in which its tables are. */
const HEAD_BYTES = 4096 * PACKET_SIZE;

/** A key frame with its time, and the range of bytes from which it can be decoded. */
export type Still = {
  timeUs: number;
  /** The stream of which packets are kept; null if it is unknown, so that nothing can be decoded. */
  stream: { packeting: Pick<Packeting, 'packetSize' | 'syncOffset'>; program: Program } | null;
  originalKey: string;
  start: number;
  end: number;
};

/** Key frames of a running recording, at which its segments begin, with the times of their arrival. */
export type GrowingStill = { fileId: string; timeUs: number; offset: number; sizeBytes: number };

type Sensor = { missionId: string; sensorId: string };

/** Key of the list of key frames, present from the first ten minutes of a recording until its own pictures are made. */
export const growingKey = (missionId: string, sensorId: string): string =>
  pictureKey(missionId, `${sensorId}-growing.json`);

export const putGrowingStills = (storage: Storage, { missionId, sensorId }: Sensor, stills: readonly GrowingStill[]) =>
  putJson(storage, growingKey(missionId, sensorId), { stills });

/** Returns the key frames of a running recording; null if none were listed. */
export async function growingStills(
  storage: Pick<Storage, 'read'>,
  { missionId, sensorId }: Sensor,
): Promise<Still[] | null> {
  const list = await findJson<{ stills: GrowingStill[] }>(storage, growingKey(missionId, sensorId));
  if (list === null) return null;
  const { stills } = list;
  const programs = new Map<string, Program | null>();
  for (const { fileId } of stills) {
    if (!programs.has(fileId)) programs.set(fileId, await programIn(storage, originalKey(sensorId, fileId)));
  }
  return stills.map(({ fileId, timeUs, offset, sizeBytes }) => {
    const program = programs.get(fileId) ?? null;
    return {
      timeUs,
      stream: program && { packeting: { packetSize: PACKET_SIZE, syncOffset: 0 }, program },
      originalKey: originalKey(sensorId, fileId),
      start: offset,
      end: offset + Math.min(sizeBytes, MAX_PICTURE_BYTES),
    };
  });
}

/** Returns the first program with video in the head of a file; null if there is none, or no file. */
async function programIn(storage: Pick<Storage, 'read'>, key: string): Promise<Program | null> {
  let found: Program | null = null;
  const demuxer = createDemuxer({
    program(next) {
      if (leadingVideo(next.streams, null) !== null) found ??= next;
    },
  });
  try {
    for await (const part of storage.read(key, { start: 0, end: HEAD_BYTES })) demuxer.push(part as Buffer);
  } catch (error) {
    if (error instanceof NotStored) return null;
    throw error;
  }
  return found;
}
