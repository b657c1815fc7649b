import { setTimeout as wait } from 'node:timers/promises';
import { NotStored } from '../../../base/storage/storage.ts';
import { receptionOf, STAMP_BYTES } from '../../../recorder-wire/ais-files.ts';
import type { AisFile } from '../../../recorder-wire/protocol.ts';
import type { AisBatches } from '../batch.ts';
import type { AisIngestDeps } from './dependencies.ts';
import { targetNotices } from './notices.ts';
import { type Source, sourceOf } from './source.ts';
import { readBytesOf, writeChunk } from './write-chunk.ts';

const CHUNK_BYTES = 512 * 1024;
/**
 * Number of bytes that are read again when reading resumes in a file. They may contain the first sentences of a
 * multi-sentence message that continues after them.
 */
const BEFORE_BYTES = 4096;
const RETRY_MS = 500;
const LF = 0x0a;

type Shared = { partitions: Set<number>; isClosed: () => boolean };

/** The known files of one sensor, and how far each has been read. */
export type SensorState = Shared & {
  sensorId: string;
  deps: AisIngestDeps;
  files: Map<string, AisFile>;
  /** Source that the rows of the current file belong to; null: it is looked up again. */
  source: Source | null;
  /** Promise of the reading in progress; null while there is nothing to read. */
  working: Promise<void> | null;
  /** Whether a file grew, ended or was added while others were being read. */
  isChanged: boolean;
  notices: ReturnType<typeof targetNotices>;
};

export const newSensor = (sensorId: string, deps: AisIngestDeps, shared: Shared): SensorState => ({
  ...{ ...shared, sensorId, deps, files: new Map(), source: null, working: null, isChanged: false },
  notices: targetNotices(deps),
});

/**
 * Sorts files in the order of reading. Files that have ended come first, since a recorder that starts after its clock
 * was set back gives its file an earlier name.
 */
export const inOrder = (a: AisFile, b: AisFile): number =>
  Number(b.ended) - Number(a.ended) || (a.key < b.key ? -1 : 1);

export function addFile(sensor: SensorState, file: AisFile): void {
  const existing = sensor.files.get(file.key);
  // A notice that a file has ended is final, even if notices arrive out of order.
  if (!existing?.ended) sensor.files.set(file.key, file);
  sensor.isChanged = true;
  sensor.working ??= readFiles(sensor);
}

export function forgetPlaces({ source }: SensorState): void {
  source?.places.clear();
  source?.range.forget();
}

export async function closeSensor(sensor: SensorState): Promise<void> {
  sensor.notices.close();
  await sensor.working;
}

/** Reads one file after another, until all bytes that are known of are read. */
async function readFiles(sensor: SensorState): Promise<void> {
  const { files, deps, sensorId } = sensor;
  while (!sensor.isClosed()) {
    const [next] = [...files.values()].sort(inOrder);
    if (next === undefined) break;
    const { key } = next;
    sensor.isChanged = false;
    const isDone = await readIfStored(sensor, key).catch(async (error) => {
      deps.log.warn({ error, sensorId }, 'AIS could not be taken into the database');
      // The source is looked up again, so that sentences that were read but not written are read again.
      sensor.source = null;
      await wait(RETRY_MS);
      return false;
    });
    const isGrowing = files.get(key)?.ended === false;
    if (!isDone || !isGrowing) continue;
    // The recorder has started another file, so this one has ended; the notice of its end will follow.
    if (files.size > 1) await wait(RETRY_MS / 10);
    else if (!sensor.isChanged) break;
  }
  sensor.working = null;
}

/** Reads a file if it still exists. The recorder removes the oldest files if they have not been read for days. */
async function readIfStored(sensor: SensorState, key: string): Promise<boolean> {
  try {
    return await readFile(sensor, key);
  } catch (error) {
    if (!(error instanceof NotStored)) throw error;
    return forgetFile(sensor, key);
  }
}

/** Reads the bytes of a file that are known of. Returns true once all of them are read. */
async function readFile(sensor: SensorState, key: string): Promise<boolean> {
  const source = await sourceOf(key, sensor.sensorId, { deps: sensor.deps, current: sensor.source });
  if (source === undefined) return removeFile(sensor, key);
  sensor.source = source;
  let at = await readBytesOf(sensor.deps.db, key, source.id);
  if (source.isNew && at > 0) {
    readLines(await chunkOf(sensor, key, Math.max(0, at - BEFORE_BYTES), at), source.batches);
    source.batches.take();
  }
  source.isNew = false;
  for (;;) {
    const file = sensor.files.get(key);
    if (file === undefined || sensor.isClosed()) return true;
    if (at >= file.sizeBytes) return file.ended ? removeFile(sensor, key) : true;
    const bytes = await chunkOf(sensor, key, at, file.sizeBytes);
    const completeBytes = bytes.lastIndexOf(LF) + 1;
    // The remaining bytes are a line truncated by a crash, or one that is still being written.
    if (completeBytes === 0) return file.ended ? removeFile(sensor, key) : true;
    readLines(bytes.subarray(0, completeBytes), source.batches);
    await writeChunk(sensor, source, { key, from: at, bytes: completeBytes });
    at += completeBytes;
  }
}

async function chunkOf({ deps }: SensorState, key: string, at: number, size: number): Promise<Buffer> {
  const end = Math.min(size, at + CHUNK_BYTES);
  const chunks: Buffer[] = [];
  for await (const chunk of deps.storage.read(key, { start: at, end })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function removeFile(sensor: SensorState, key: string): Promise<boolean> {
  await sensor.deps.storage.remove(key).catch((error) => {
    if (!(error instanceof NotStored)) throw error;
  });
  return forgetFile(sensor, key);
}

async function forgetFile({ files, deps }: SensorState, key: string): Promise<boolean> {
  files.delete(key);
  await deps.db.deleteFrom('ais_files').where('key', '=', key).execute();
  return true;
}

/** Reads the lines of an AIS file. Lines without the tag block in which the recorder states the time are skipped. */
function readLines(bytes: Buffer, batches: AisBatches): void {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LF, start);
    const line = bytes.subarray(start, end);
    const receivedUs = receptionOf(line);
    if (receivedUs !== null) batches.line(line.subarray(STAMP_BYTES), receivedUs);
    start = end + 1;
  }
}
