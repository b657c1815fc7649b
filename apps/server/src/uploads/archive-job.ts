import { createHash } from 'node:crypto';
import { AppError, type MissionUpdate } from '@osprey/contract';
import type { Kysely, Selectable } from 'kysely';
import { asSystem } from '../base/access/as-system.ts';
import type { Database } from '../base/db/schema.ts';
import { missionFacts } from '../base/items/mission-facts.ts';
import { defineJob, type JobContext, type JobDefinition, type JobEnd } from '../base/jobs/definition.ts';
import type { JobQueue } from '../base/jobs/queue.ts';
import { originalsOf } from '../base/storage/originals.ts';
import { uploadReserve } from '../base/storage/space-rule.ts';
import type { Storage, Stored } from '../base/storage/storage.ts';
import type { FileFailed } from '../base/ws/outgoing.ts';
import { type ArchiveRun, planArchive, RUNS_MAX, readRun, timesOf } from '../media/formats/archive.ts';
import { trueSeconds } from '../media/formats/true-length.ts';
import { openZip, refuse, type Zip } from '../media/formats/zip.ts';
import { notifyUploader } from '../media/ingest/failed-file.ts';
import { settleMission } from '../media/ingest/mission-state.ts';
import { putPlaylistTimes, removePlaylistTimes } from '../media/ingest/playlist-times.ts';
import { missionUpdate, uploadedKey } from './accept.ts';
import { displayName } from './display-name.ts';
import { createJudge } from './judge.ts';
import type { FileKind } from './sniff.ts';
import type { Target } from './target.ts';

/** Maximum unpacked size, as a multiple of the size of the archive. */
const GROWTH_MAX = 20;
const FLOW_MS = 250;

export type ArchiveJobDeps = {
  db: Kysely<Database>;
  storage: Storage;
  queue: Pick<JobQueue, 'enqueue'>;
  changed: (noun: 'missions', ids: string[]) => void;
  flow: (update: MissionUpdate) => void;
  fileFailed: FileFailed;
  nowUs: () => number;
  /** Number of free bytes that imports must leave on the disk; null: the default rule of the storage. */
  reserveBytes: number | null;
};

type FileRow = Selectable<Database['files']>;
type Unpacked = { id: string; key: string; kind: UnpackedKind; run: ArchiveRun; stored: Stored; lengthUs: number };
type UnpackedKind = Exclude<FileKind, 'archive' | 'manifest'>;

/**
 * Unpacks an archive into recordings of its sensor. HLS becomes one recording for each part without a clock jump; every
 * other file becomes one recording.
 */
export function archiveJob(deps: ArchiveJobDeps): JobDefinition {
  return defineJob('archive', (context) => unpack(deps, context), { ended: (end) => discard(deps, end) });
}

async function unpack(deps: ArchiveJobDeps, context: JobContext): Promise<void> {
  const { storage } = deps;
  const archive = await archiveOf(deps, context.fileId);
  const target = await targetOf(deps, context);
  // The archive was deleted meanwhile, so nothing is left to do.
  if (archive === undefined || target === null) return;
  deps.flow(missionUpdate(target, { type: 'hlsDetection' }));
  const zip = await openZip(storage, archive.storage_key);
  try {
    const { runs, remark } = await planArchive(zip);
    const spend = await budget(deps, { archive, zip, runs, target, context });
    const files: Unpacked[] = [];
    try {
      for (const [index, run] of runs.entries()) files.push(await unpackRun(deps, { archive, zip, run, index, spend }));
    } catch (error) {
      await removeRuns(deps, archive);
      throw error;
    }
    if (!(await replace(deps, { archive, files, remark, context }))) return await removeRuns(deps, archive);
  } finally {
    await zip.close();
  }
  await storage.remove(archive.storage_key);
  deps.changed('missions', [context.missionId]);
}

type Work = { archive: FileRow; zip: Zip; runs: ArchiveRun[]; target: Target; context: JobContext };

/**
 * Returns a function that counts unpacked bytes, reports progress, and throws at the growth limit or when the disk
 * reserve is reached.
 */
async function budget(deps: ArchiveJobDeps, { archive, zip, runs, target, context }: Work) {
  const { freeBytes, totalBytes } = await deps.storage.space();
  const room = freeBytes - (deps.reserveBytes ?? uploadReserve(totalBytes));
  const maximum = Math.min(GROWTH_MAX * archive.size_bytes, room);
  const names = new Set(
    runs.flatMap(({ segments }) => segments.flatMap(({ name, map }) => (map === null ? [name] : [name, map.name]))),
  );
  const expected = [...names].reduce((sum, name) => sum + (zip.files.get(name)?.sizeBytes ?? 0), 0);
  if (expected > room) throw new AppError('diskFull');
  if (expected > maximum) throw refuse('it would unpack to far more than it is');
  let spent = 0;
  let reported = Number.NEGATIVE_INFINITY;
  return (bytes: number): void => {
    context.signal.throwIfAborted();
    spent += bytes;
    if (spent > maximum) throw refuse('it unpacks to far more than it is');
    const percent = Math.min(100, (100 * spent) / Math.max(1, expected));
    context.progress(percent);
    if (performance.now() - reported < FLOW_MS) return;
    reported = performance.now();
    deps.flow(missionUpdate(target, { type: 'extractingArchive', progress: percent }));
  };
}

type RunWork = { archive: FileRow; zip: Zip; run: ArchiveRun; index: number; spend: (bytes: number) => void };

async function unpackRun({ storage }: ArchiveJobDeps, { archive, zip, run, index, spend }: RunWork): Promise<Unpacked> {
  const id = fileIdOf(archive.id, index);
  const part = partOf(archive, index);
  const stored = await storage.put(part, readRun(zip, run, spend));
  const kind = await kindOf(storage, part, run);
  const key = uploadedKey(archive.sensor_id, id, kind);
  await storage.move(part, key);
  const reported = kind === 'sidecar' || kind === 'ais' ? null : await trueSeconds(storage, key, kind);
  const times = timesOf(zip, run);
  if (times.length > 0) await putPlaylistTimes(storage, { sensorId: archive.sensor_id, fileId: id, times });
  return { id, key, kind, run, stored, lengthUs: Math.round((reported ?? run.durationSeconds) * 1e6) };
}

/** Determines the kind of an unpacked file. @throws AppError badArchive if it is neither a recording nor telemetry */
async function kindOf(storage: Storage, part: string, { name }: ArchiveRun): Promise<UnpackedKind> {
  try {
    // Segments of a playlist are judged without their name, since many packers name files MP4 that are none.
    const kind = await createJudge(storage, part, name ?? '').complete();
    if (kind === 'ts' || kind === 'mp4' || (name !== null && kind !== 'archive' && kind !== 'manifest')) return kind;
    throw refuse(
      name === null ? NO_STREAMS : `it holds ${shownName(name)}, which is something else than its name says`,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (name === null) throw error.code === 'badArchive' ? error : refuse(`${NO_STREAMS} that can be taken`, error);
    if (error.code === 'badArchive') throw error;
    throw refuse(`it holds ${shownName(name)}: ${error.values.reason ?? 'nothing'}`, error);
  }
}

const NO_STREAMS = 'its segments are not transport streams';
const shownName = (name: string): string => `"${name.slice(0, 60)}"`;

/**
 * Derives a file id that is always the same for the same archive and index, so that a retry finds the files of the
 * first attempt.
 */
function fileIdOf(archiveId: string, index: number): string {
  const hex = createHash('sha256').update(`${archiveId}/${index}`).digest('hex');
  // UUID of version 8 and variant 1 (RFC 9562).
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `9${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Returns the key to which a file is unpacked before its kind is known. */
const partOf = (archive: FileRow, index: number): string =>
  `${originalsOf(archive.sensor_id)}/${fileIdOf(archive.id, index)}.part`;

const KINDS: readonly UnpackedKind[] = ['ts', 'mp4', 'mkv', 'sidecar', 'ais'];

/** Returns all keys under which the unpacked file may be stored. */
const keysOf = (archive: FileRow, index: number): string[] => [
  partOf(archive, index),
  ...KINDS.map((kind) => uploadedKey(archive.sensor_id, fileIdOf(archive.id, index), kind)),
];

/** Removes unpacked files that did not become rows, including those of an attempt that was interrupted. */
async function removeRuns({ db, storage }: ArchiveJobDeps, archive: FileRow): Promise<void> {
  const runs = new Set(Array.from({ length: RUNS_MAX }, (_none, index) => keysOf(archive, index)).flat());
  const files = await asSystem(db, 'upload')
    .selectFrom('files')
    .select('storage_key')
    .where('sensor_id', '=', archive.sensor_id)
    .execute();
  for (const { storage_key } of files) runs.delete(storage_key);
  for await (const { key } of storage.list(originalsOf(archive.sensor_id))) {
    if (!runs.has(key)) continue;
    await storage.remove(key);
    const [, , fileId] = /^([^/]+\/){2}([0-9a-f-]{36})\./.exec(key) ?? [];
    if (fileId !== undefined) await removePlaylistTimes(storage, archive.sensor_id, fileId);
  }
}

type Replacing = { archive: FileRow; files: Unpacked[]; remark: string | null; context: JobContext };

/**
 * Replaces the archive's row by the rows of its recordings and queues ingest, in one transaction. Returns false if the
 * archive was removed in the meantime.
 */
async function replace(
  { db, queue, nowUs }: ArchiveJobDeps,
  { archive, files, remark, context }: Replacing,
): Promise<boolean> {
  const { missionId, sensorId } = context;
  const ends = endTimes(files, archive.last_modified);
  return db.transaction().execute(async (tx) => {
    // Deleting the archive's row also deletes the row of this job, so ingest continues with a separate job.
    const gone = await asSystem(tx, 'upload').deleteFrom('files').where('id', '=', archive.id).executeTakeFirst();
    if (gone.numDeletedRows === 0n) return false;
    const rows = files.map(({ id, key, kind, run, stored }, index) => ({
      id,
      sensor_id: sensorId,
      kind,
      name: run.name === null ? nameOf(archive.name, { index, count: files.length, kind }) : displayName(run.name),
      size_bytes: stored.sizeBytes,
      sha256: stored.sha256,
      storage_key: key,
      rendition_key: null,
      message: null,
      // The remark is stored only with the first recording, so that it is shown once.
      remark: index === 0 ? remark : null,
      last_modified: ends[index] ?? null,
      start_time: null,
      end_time: null,
      position: index,
      uploaded_by: archive.uploaded_by,
      created: nowUs(),
    }));
    await asSystem(tx, 'upload')
      .insertInto('files')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await queue.enqueue(tx, 'ingest', { missionId, sensorId });
    return true;
  });
}

/**
 * Derives the name of a recording from that of its archive: `flight.zip` becomes `flight.ts`, or `flight (1).ts` and so
 * on.
 */
function nameOf(archiveName: string, { index, count, kind }: { index: number; count: number; kind: string }): string {
  const stem = archiveName.replace(/\.zip$/i, '');
  return count === 1 ? `${stem}.${kind}` : `${stem} (${index + 1}).${kind}`;
}

/**
 * Returns the end time of each recording: from the times in the playlist, or otherwise counted back from the time of
 * the archive.
 */
function endTimes(files: readonly Unpacked[], archiveEnd: number | null): (number | null)[] {
  const ends: (number | null)[] = [];
  let end = archiveEnd;
  for (const { run, lengthUs } of [...files].reverse()) {
    const own = run.timeUs === null ? end : run.timeUs + lengthUs;
    ends.unshift(own);
    end = own === null ? null : own - lengthUs;
  }
  return ends;
}

/** Removes an archive that was refused or cancelled. Only a message remains at its sensor. */
async function discard(
  deps: ArchiveJobDeps,
  { missionId, sensorId, fileId, sentence, outcome }: JobEnd,
): Promise<void> {
  const { db, storage } = deps;
  const archive = await archiveOf(deps, fileId);
  const target = await targetOf(deps, { missionId, sensorId });
  if (archive === undefined) return;
  await db.transaction().execute(async (tx) => {
    const others = await asSystem(tx, 'upload')
      .selectFrom('files')
      .select('state')
      .where('sensor_id', '=', sensorId)
      .where('id', '!=', archive.id)
      .execute();
    const row = { state: stateAfter(others), message: sentence };
    await asSystem(tx, 'upload').updateTable('sensors').set(row).where('id', '=', sensorId).execute();
    await settleMission(tx, missionId);
  });
  await storage.remove(archive.storage_key);
  await removeRuns(deps, archive);
  await asSystem(db, 'upload').deleteFrom('files').where('id', '=', archive.id).execute();
  if (target !== null) {
    deps.flow(missionUpdate(target, { type: 'error', text: sentence }));
    const mission = { missionId, missionName: target.mission.name };
    if (outcome === 'failed') notifyUploader(deps.fileFailed, { file: archive, mission, sentence, left: 'gone' });
  }
  deps.changed('missions', [missionId]);
}

function stateAfter(others: readonly Pick<FileRow, 'state'>[]): string {
  if (others.some(({ state }) => state === 'waiting' || state === 'processing')) return 'Processing';
  return others.some(({ state }) => state === 'ready') ? 'Ready' : 'Stopped';
}

async function archiveOf({ db }: ArchiveJobDeps, fileId: string | null): Promise<FileRow | undefined> {
  if (fileId === null) return undefined;
  return asSystem(db, 'upload').selectFrom('files').selectAll().where('id', '=', fileId).executeTakeFirst();
}

async function targetOf(
  { db }: ArchiveJobDeps,
  { missionId, sensorId }: Pick<JobContext, 'missionId' | 'sensorId'>,
): Promise<Target | null> {
  const mission = await missionFacts(db, missionId, 'upload');
  const sensor = await asSystem(db, 'upload')
    .selectFrom('sensors')
    .select('name')
    .where('id', '=', sensorId)
    .executeTakeFirst();
  return mission && sensor ? { mission, sensorId, sensorName: sensor.name } : null;
}
