import { AppError, type MissionUpdate } from '@osprey/contract';
import { createCoverage } from '@osprey/geo';
import type { Kysely, Selectable } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { lockedHold } from '../../base/items/mission-hold.ts';
import { defineJob, type JobContext, type JobDefinition } from '../../base/jobs/definition.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';
import { streamKeyOf } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { FileFailed } from '../../base/ws/outgoing.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import { telemetryReader } from '../../telemetry/reader.ts';
import { isContainer } from '../formats/containers/survey.ts';
import { indexFile, removeLeftovers } from '../index/build-file-index.ts';
import { conversionOf } from '../index/conversion.ts';
import { type FileIndex, fileIndexKey, getJson, readFileIndex } from '../index/file-index.ts';
import type { RequestedKlv } from '../index/klv-survey.ts';
import type { SensorIndex } from '../index/sensor-index.ts';
import { type ReadAisFiles, storeAisFiles, storeAisSensor } from './ais-files.ts';
import { buildIndex, type FileToBuild } from './build-index.ts';
import {
  type ContainerDeps,
  type ContainerFacts,
  containerOf,
  embeddedTelemetry,
  fileOfIndex,
  prepareContainer,
  storedFacts,
} from './container-file.ts';
import { makeCoverage } from './coverage.ts';
import { filesAtWork, notifyUploader } from './failed-file.ts';
import { type JobSubject, throttled, updateOf } from './flow.ts';
import { type LabelDeps, raiseLabel } from './label.ts';
import { manifestVerdicts } from './manifest-files.ts';
import { INDEX_REMARK, isIndexComplete } from './mend-index.ts';
import { resumeSensor, stopSensor } from './mission-state.ts';
import { playlistClock } from './playlist-times.ts';
import { isToReadAgain, wasReadAgain } from './read-again.ts';
import { removeMade, tidily } from './removed-file.ts';
import { clearSensor, sensorFiles, storeSensor } from './sensor-rows.ts';
import { indexSidecar, type SidecarIndex, type TimedSidecar } from './sidecar-index.ts';

export type IngestDeps = LabelDeps & {
  db: Kysely<Database>;
  storage: Storage;
  ffmpeg: ContainerDeps['ffmpeg'];
  /** Free bytes that renditions leave alone; null is the rule of the storage. */
  reserveBytes: number | null;
  log: ContainerDeps['log'];
  queue: Pick<JobQueue, 'enqueue'>;
  flow: (update: MissionUpdate) => void;
  fileFailed: FileFailed;
  nowUs: () => number;
  /** Ships of files of AIS. */
  readAis: ReadAisFiles;
};

type FileRow = Selectable<Database['files']>;

/**
 * Makes the indexes of a sensor from its originals. Each step bears being done again: files that were read whole
 * before a crash are not read twice, and everything the rest of the server sees changes in one transaction.
 */
export function ingestJob(deps: IngestDeps): JobDefinition {
  return defineJob('ingest', (context) => ingest(deps, context), {
    ended: async ({ missionId, sensorId, sentence, outcome }) => {
      const subject = await subjectOf(deps.db, missionId, sensorId);
      // Refused files are gone, and their senders have been notified.
      const files = outcome === 'failed' ? await filesAtWork(deps.db, sensorId, null) : [];
      await stopSensor(deps.db, sensorId, sentence);
      if (subject) {
        deps.flow(updateOf(subject, { type: 'error', text: sentence }));
        for (const file of files) notifyUploader(deps.fileFailed, { file, mission: subject, sentence, left: 'kept' });
      }
      deps.changed('missions', [missionId]);
    },
  });
}

async function ingest(deps: IngestDeps, context: JobContext): Promise<void> {
  const { missionId, sensorId } = context;
  const subject = await subjectOf(deps.db, missionId, sensorId);
  if (subject === null) return;
  if (await resumeSensor(deps.db, sensorId)) deps.changed('missions', [missionId]);
  const rows = await sensorFiles(deps.db, sensorId);
  const fileIds = rows.map(({ id }) => id);
  await tidily({ ...deps, missionId, sensorId, fileIds }, () => readFiles(deps, { context, subject, rows }));
}

type Files = { context: JobContext; subject: JobSubject; rows: readonly FileRow[] };

async function readFiles(deps: IngestDeps, { context, subject, rows }: Files): Promise<void> {
  const { missionId, sensorId } = context;
  deps.flow(updateOf(subject, { type: 'ingest_start', progress: 0 }));

  if (rows.every(({ kind }) => kind === 'manifest')) {
    const { db, storage, queue } = deps;
    await clearSensor({ db, storage, reader: telemetryReader({ storage }) }, { missionId, sensorId });
    // The pictures of the old files go now.
    await queue.enqueue(db, 'thumbnails', { missionId, sensorId });
    deps.changed('missions', [missionId]);
    return;
  }
  const ais = rows.filter(({ kind }) => kind === 'ais');
  if (ais.length > 0) {
    const files = ais.map(({ id, name, storage_key: key, reading }) => ({
      id,
      name,
      key,
      times: reading?.ais ?? null,
    }));
    const { signal, progress } = context;
    const read = await deps.readAis({ missionId, sensorId, files, streams: [], signal, progress });
    await storeAisFiles(deps.db, read);
    if (rows.every(({ kind }) => kind === 'ais' || kind === 'manifest')) {
      await storeAisSensor(deps.db, { missionId, sensorId, read });
      deps.flow(updateOf(subject, { type: 'ingest_complete', progress: 100 }));
      deps.changed('missions', [missionId]);
      return;
    }
  }
  const manifests = await manifestVerdicts(deps.storage, rows);
  const refusals: string[] = [...manifests.problems];
  const files: FileToBuild[] = [];
  const streams = rows.filter(({ kind }) => kind === 'ts' || isContainer(kind));
  const embedded: TimedSidecar[] = [];
  for (const [position, row] of streams.entries()) {
    const share = { done: position / streams.length, of: 1 / streams.length };
    const index = await nullIfRefused(deps, {
      ...{ subject, row, refusals },
      read: () => read(deps, context, { subject, row, share }),
      before: () => readBefore(deps, row),
    });
    if (index === null) continue;
    const { facts } = index;
    if (index.embedded) embedded.push({ ...index.embedded, offsetUs: row.time_offset });
    files.push({
      id: row.id,
      name: row.name,
      lastModifiedUs: row.last_modified,
      uploadedUs: row.created,
      remark: row.remark,
      reading: row.reading,
      manifest: manifests.files.get(row.id) ?? null,
      container: facts && containerOf(facts, index.index),
      playlist: await playlistClock(deps.storage, row, index.index),
      index: index.index,
      playable: await playableOf(deps.storage, row, index.index),
    });
  }
  const sidecars = [...(await sidecarsOf(deps, { context, subject, rows, refusals })), ...embedded];
  if (files.length === 0 && sidecars.length === 0)
    throw new AppError('badFile', { reason: refusals.join(' ').replace(/\.$/, '') || 'there is nothing to show' });
  if (files.length === 0 && sidecars.every(({ clock }) => clock === 'video')) {
    throw new AppError('badFile', { reason: 'its times count from the start of a video, and there is no video yet' });
  }
  const left = new Set((await sensorFiles(deps.db, sensorId)).map(({ id }) => id));
  // A removal meanwhile has ordered an index without the file.
  if (![...files.map(({ id }) => id), ...sidecars.map(({ fileId }) => fileOfIndex(fileId))].every((id) => left.has(id)))
    return;
  const built = await finish(deps, { context, subject, files, sidecars, refusals });
  await readStreams(deps, { context, rows: streams, files, built, adds: ais.length > 0 });
}

type Streams = Pick<Files, 'context' | 'rows'> & { files: readonly FileToBuild[]; built: SensorIndex; adds: boolean };

/** Ships of AIS in private data of the recordings, dated by the clocks of these. */
async function readStreams(deps: IngestDeps, { context, rows, files, built, adds }: Streams): Promise<void> {
  const { missionId, sensorId, signal } = context;
  const streams = files.flatMap(({ id, index }) => {
    const row = rows.find((one) => one.id === id);
    const timebase = built.files.find(({ fileId }) => fileId === id)?.timebase;
    return index.ais && row && timebase ? [{ key: streamKeyOf(row), timebase }] : [];
  });
  if (streams.length === 0 && adds) return;
  await deps.readAis({ missionId, sensorId, files: [], streams, adds, signal, progress: () => undefined });
  if (streams.length > 0) deps.changed('missions', [missionId]);
}

type SidecarsToRead = Files & { refusals: string[] };

/** Reads the telemetry that came as text files with the recordings. */
async function sidecarsOf(
  deps: IngestDeps,
  { context: { sensorId, signal }, subject, rows, refusals }: SidecarsToRead,
): Promise<TimedSidecar[]> {
  const { storage } = deps;
  const found: TimedSidecar[] = [];
  for (const row of rows.filter(({ kind }) => kind === 'sidecar')) {
    const isExchanged = row.coordinates_exchanged;
    const file = { id: row.id, name: row.name, key: row.storage_key, isExchanged };
    const before = () => readFileIndex<SidecarIndex>(storage, sensorId, row.id);
    const index = await nullIfRefused(deps, {
      ...{ subject, row, refusals },
      async read() {
        const existing = await before();
        const isAsAsked = existing && (existing.isExchangeAsked ?? false) === isExchanged;
        if (isAsAsked && !(await isToReadAgain(storage, sensorId, row.id))) return existing;
        const made = await indexSidecar({ storage, sensorId, file, signal });
        await wasReadAgain(storage, sensorId, row.id);
        return made;
      },
      before,
    });
    if (index) found.push({ ...index, offsetUs: row.time_offset });
  }
  return found;
}

type Reading<Index> = {
  subject: JobSubject;
  row: FileRow;
  refusals: string[];
  read: () => Promise<Index>;
  /** The earlier index of the file; null when it was never read. */
  before: () => Promise<Index | null>;
};

/** A file that cannot be read is refused; one that could be read before stays as it was read. */
async function nullIfRefused<Index>(
  deps: IngestDeps,
  { subject, row, refusals, read, before }: Reading<Index>,
): Promise<Index | null> {
  try {
    return await read();
  } catch (error) {
    if (!isInputFault(error)) throw error;
    const existing = await before();
    // A file with an index was read once: its bytes stay, also if that index is damaged.
    if (existing === null && (await wasIndexed(deps.storage, row))) {
      await setFileState(deps.db, row.id, 'failed');
      refusals.push(`${row.name}: its index is damaged, and it could not be read again: ${reasonOf(error)}`);
      return null;
    }
    if (existing === null) {
      refusals.push(await refuse(deps, { row, subject, error }));
      return null;
    }
    await wasReadAgain(deps.storage, row.sensor_id, row.id);
    refusals.push(`${row.name} could not be read again, and stays as it was read before: ${reasonOf(error)}`);
    return existing;
  }
}

type Share = { done: number; of: number };
type ToRead = { subject: JobSubject; row: FileRow; share: Share };
/**
 * One recording as read: the index, the facts of its container (null for a transport stream), and telemetry in it that
 * is not KLV (null if there is none).
 */
type ReadFile = { index: FileIndex; facts: ContainerFacts | null; embedded: SidecarIndex | null };

/** Reads the stored index of a recording; null if it was not indexed before. */
async function readBefore({ storage }: IngestDeps, row: FileRow): Promise<ReadFile | null> {
  const index = await readFileIndex<FileIndex>(storage, row.sensor_id, row.id);
  const facts = isContainer(row.kind) ? await storedFacts(storage, row) : null;
  return index && { index, facts, embedded: null };
}

/** Reads a recording; one in another container becomes a transport stream first, once. */
async function read(deps: IngestDeps, context: JobContext, { subject, row, share }: ToRead): Promise<ReadFile> {
  const { kind } = row;
  if (!isContainer(kind))
    return { index: await indexed(deps, context, { subject, row, share }), facts: null, embedded: null };
  const { signal } = context;
  const container = { ...row, kind };
  const again = await isToReadAgain(deps.storage, row.sensor_id, row.id);
  await setFileState(deps.db, row.id, 'processing');
  const notify = throttled((percent) => deps.flow(updateOf(subject, { type: 'ingest_progress', progress: percent })));
  const progress = (percent: number) => {
    const overall = 100 * share.done + (percent * share.of) / 2;
    context.progress(overall);
    notify(overall);
  };
  const { facts, isNew } = await prepareContainer(deps, container, { again, signal, progress });
  const half = { done: share.done + share.of / 2, of: share.of / 2 };
  const index = await indexed(deps, context, { subject, row, share: half }, isNew);
  const isExchanged = row.coordinates_exchanged;
  const embedded = await embeddedTelemetry(deps, container, { facts, index, isExchanged, again: isNew, signal });
  return { index, facts, embedded };
}

/** The index of one file: as it was written before, or made now, also because a user asked for it again. */
async function indexed(
  deps: IngestDeps,
  context: JobContext,
  { subject, row, share }: ToRead,
  isNew = false,
): Promise<FileIndex> {
  const { storage, nowUs } = deps;
  const existing = await readFileIndex(storage, context.sensorId, row.id);
  const requested: RequestedKlv | null =
    row.reading?.klvPid === undefined ? null : { pid: row.reading.klvPid, by: 'user' };
  const isComplete = existing !== null && (await isIndexComplete(storage, existing));
  const isRequested = existing !== null && isReadAs(existing, requested);
  if (existing && isComplete && isRequested && !isNew && !(await isToReadAgain(storage, context.sensorId, row.id))) {
    if (existing.klv.mark !== null) await raiseLabel(deps, context.missionId, existing.klv.mark);
    return existing;
  }
  const isLost = existing === null ? await isIndexDamaged(storage, row) : !isComplete;
  await setFileState(deps.db, row.id, 'processing');
  const notify = throttled((percent) => deps.flow(updateOf(subject, { type: 'ingest_progress', progress: percent })));
  const index = await indexFile({
    storage,
    sensorId: context.sensorId,
    file: { id: row.id, key: streamKeyOf(row) },
    before: isComplete ? existing : null,
    requested,
    videoPid: row.reading?.videoPid ?? null,
    nowUs: nowUs(),
    signal: context.signal,
    onMark: (rank) => raiseLabel(deps, context.missionId, rank),
    onProgress: (percent) => {
      const overall = 100 * share.done + percent * share.of;
      context.progress(overall);
      notify(overall);
    },
  });
  await wasReadAgain(storage, context.sensorId, row.id);
  if (isLost) await noteRebuilt(deps, context.missionId, row);
  return index;
}

/**
 * Whether the KLV stream that is to be shown is the one that was read. The recorder's live index may know a better one.
 */
function isReadAs({ klv: { chosen, better, apart, found } }: FileIndex, requested: RequestedKlv | null): boolean {
  if (apart !== undefined) return false;
  if (requested === null) return better === undefined && chosen?.by !== 'user';
  // Another reading does not find a stream that was not there, as of a live sensor that has lost one since.
  return chosen === undefined || chosen.pid === requested.pid || !found?.some(({ pid }) => pid === requested.pid);
}

/** Finds out whether the index of a file is damaged; an index of an older version that is no longer read is not. */
const isIndexDamaged = (storage: Storage, { sensor_id, id }: FileRow): Promise<boolean> =>
  getJson(storage, fileIndexKey(sensor_id, id)).then(
    () => false,
    (error) => error instanceof IndexDamaged,
  );

/** Finds out whether a file has an index, even one that cannot be read any more. */
const wasIndexed = async (storage: Storage, { sensor_id, id }: FileRow): Promise<boolean> =>
  (await storage.stat(fileIndexKey(sensor_id, id))) !== null;

/** Said in the health of the recording, and kept in the audit. */
async function noteRebuilt(deps: IngestDeps, missionId: string, row: FileRow): Promise<void> {
  const remark = [row.remark, INDEX_REMARK].filter((one) => one !== null).join(' ');
  if (row.remark?.includes(INDEX_REMARK) !== true) {
    await asSystem(deps.db, 'ingest').updateTable('files').set({ remark }).where('id', '=', row.id).execute();
    row.remark = remark;
  }
  const mission = await asSystem(deps.db, 'ingest')
    .selectFrom('missions')
    .select('classification')
    .where('id', '=', missionId)
    .executeTakeFirst();
  const label = mission?.classification ?? 0;
  if (label > 0) await deps.audit({ action: 'index.rebuild', itemId: missionId, label, reason: row.storage_key });
}

/** The source of the pictures; null while a rendition has to be made first, and if there are none. */
async function playableOf(storage: Storage, row: FileRow, index: FileIndex): Promise<FileToBuild['playable']> {
  if (index.video === null) return null;
  if (conversionOf(index) === 'none') return { storageKey: streamKeyOf(row), index };
  // A rendition may be missing after a restore, since backups can leave renditions out.
  if (row.rendition_key === null || (await storage.stat(row.rendition_key)) === null) return null;
  const rendition = await readFileIndex(storage, row.sensor_id, renditionId(row.id));
  return rendition && { storageKey: row.rendition_key, index: rendition };
}

/** Name of the index of a file's rendition, kept next to its own. */
export const renditionId = (fileId: string): string => `${fileId}-rendition`;

type Finishing = {
  context: JobContext;
  subject: JobSubject;
  files: FileToBuild[];
  sidecars: TimedSidecar[];
  refusals: string[];
};

async function finish(deps: IngestDeps, finishing: Finishing): Promise<SensorIndex> {
  const { context, subject, files, sidecars, refusals } = finishing;
  const { storage, db } = deps;
  const { missionId, sensorId } = context;
  deps.flow(updateOf(subject, { type: 'areaCalculation', phase: 'start' }));
  const reader = telemetryReader({ storage });
  const mission = createCoverage();
  const built = await buildIndex({ storage, reader, sensorId, files, sidecars, mission });
  const area = await storeSensor(
    { db, storage, reader },
    { missionId, sensorId, built, mission, message: refusals.join(' ') || null },
  );
  await makeCoverage({ db, storage, reader }, sensorId);
  await removeLeftovers(storage, sensorId, [...files.map(({ index }) => index), ...sidecars]);
  deps.flow(updateOf(subject, { type: 'areaCalculation', phase: 'done', areaSqKm: area }));

  await db.transaction().execute(async (tx) => {
    await deps.queue.enqueue(tx, 'thumbnails', { missionId, sensorId });
    for (const { id } of files.filter(({ playable, index }) => index.video !== null && playable === null)) {
      await deps.queue.enqueue(tx, 'transcode', { missionId, sensorId, fileId: id });
    }
  });
  deps.flow(updateOf(subject, { type: 'ingest_complete', progress: 100 }));
  deps.changed('missions', [missionId]);
  return built.index;
}

/** A whole sentence without what every refusal begins with. */
const reasonOf = (error: Error): string =>
  error instanceof AppError && error.values.reason ? `${error.values.reason}.` : error.message;

const isInputFault = (error: unknown): error is Error =>
  (error instanceof AppError && error.status < 500) || (error instanceof Error && error.name === 'FormatError');

export async function subjectOf(db: Db, missionId: string, sensorId: string): Promise<JobSubject | null> {
  const row = await asSystem(db, 'ingest')
    .selectFrom('sensors')
    .innerJoin('missions', 'missions.id', 'sensors.mission_id')
    .select(['missions.name as missionName', 'sensors.name as sensorName'])
    .where('sensors.id', '=', sensorId)
    .where('missions.id', '=', missionId)
    .executeTakeFirst();
  return row ? { missionId, sensorId, ...row } : null;
}

async function setFileState(db: Db, fileId: string, state: string): Promise<void> {
  await asSystem(db, 'ingest').updateTable('files').set({ state }).where('id', '=', fileId).execute();
}

type Refused = { row: FileRow; subject: JobSubject; error: Error };

/**
 * A file that turned out to be none of ours: row first, bytes after. One of a mission on hold stays as a failed file:
 * it may have been read by an earlier version. Returns why, in a sentence with its name.
 */
async function refuse(deps: IngestDeps, { row, subject, error }: Refused): Promise<string> {
  const reason = reasonOf(error);
  const text = `${row.name}: ${reason}`;
  const isHeld = await deps.db.transaction().execute(async (tx) => {
    const refused = { state: 'failed', message: text };
    await asSystem(tx, 'ingest').updateTable('files').set(refused).where('id', '=', row.id).execute();
    const onHold = await lockedHold(tx, 'ingest', subject.missionId);
    if (!onHold) await asSystem(tx, 'ingest').deleteFrom('files').where('id', '=', row.id).execute();
    return onHold;
  });
  if (!isHeld) {
    await deps.storage.remove(row.storage_key);
    await removeMade(deps.storage, row.sensor_id, row.id);
  }
  deps.flow(updateOf(subject, { type: 'error', text }));
  const sentence = `The file was refused: ${reason.replace(/\.?$/, '.')}`;
  notifyUploader(deps.fileFailed, { file: row, mission: subject, sentence, left: isHeld ? 'kept' : 'gone' });
  return text;
}
