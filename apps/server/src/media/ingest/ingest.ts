import { AppError } from '@osprey/contract';
import { createCoverage } from '@osprey/geo';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { defineJob, type JobContext, type JobDefinition } from '../../base/jobs/definition.ts';
import { streamKeyOf } from '../../base/storage/originals.ts';
import { telemetryReader } from '../../telemetry/reader.ts';
import { isContainer } from '../formats/containers/survey.ts';
import { removeLeftovers } from '../index/build-file-index.ts';
import { readFileIndex } from '../index/file-index.ts';
import { storeAisFiles, storeAisSensor } from './ais-files.ts';
import { type BuiltIndex, buildIndex, type FileToBuild } from './build-index.ts';
import { containerOf, fileOfIndex } from './container-file.ts';
import { makeCoverage } from './coverage.ts';
import { filesAtWork, notifyUploader } from './failed-file.ts';
import { type JobSubject, updateOf } from './flow.ts';
import type { FileRow, IngestDeps } from './ingest-deps.ts';
import { manifestVerdicts } from './manifest-files.ts';
import { resumeSensor, stopSensor } from './mission-state.ts';
import { playlistClock } from './playlist-times.ts';
import { isToReadAgain, wasReadAgain } from './read-again.ts';
import { playableOf, readBefore, readRecording } from './read-recording.ts';
import { nullIfRefused } from './refused-file.ts';
import { tidily } from './removed-file.ts';
import { clearSensor, sensorFiles, storeSensor } from './sensor-rows.ts';
import { indexSidecar, type SidecarIndex, type TimedSidecar } from './sidecar-index.ts';

/**
 * Makes the indexes of a sensor from its originals. Every step can be repeated: files that were read completely before
 * a crash are not read again, and everything that the rest of the server sees changes in one transaction.
 */
export function ingestJob(deps: IngestDeps): JobDefinition {
  return defineJob('ingest', (context) => ingest(deps, context), {
    ended: async ({ missionId, sensorId, sentence, outcome }) => {
      const subject = await subjectOf(deps.db, missionId, sensorId);
      // Refused files were removed already, and their uploaders were notified.
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
    // The job also removes the pictures of the earlier files.
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
      read: () => readRecording(deps, context, { subject, row, share }),
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
      sha256: row.sha256,
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
  // If a file was removed meanwhile, that removal has queued another index without the file.
  if (![...files.map(({ id }) => id), ...sidecars.map(({ fileId }) => fileOfIndex(fileId))].every((id) => left.has(id)))
    return;
  const built = await finish(deps, { context, subject, files, sidecars, refusals });
  await readStreams(deps, { context, rows: streams, files, built, adds: ais.length > 0 });
}

type Streams = Pick<Files, 'context' | 'rows'> & { files: readonly FileToBuild[]; built: BuiltIndex; adds: boolean };

/** Reads ships from AIS in private data of the recordings, dated by the clocks of the recordings. */
async function readStreams(deps: IngestDeps, { context, rows, files, built, adds }: Streams): Promise<void> {
  const { missionId, sensorId, signal } = context;
  const streams = files.flatMap(({ id, index }) => {
    const row = rows.find((one) => one.id === id);
    const timebase = built.files.find((file) => file.id === id && !file.isCopy)?.timebase;
    return index.ais && row && timebase ? [{ key: streamKeyOf(row), timebase }] : [];
  });
  if (streams.length === 0 && adds) return;
  await deps.readAis({ missionId, sensorId, files: [], streams, adds, signal, progress: () => undefined });
  if (streams.length > 0) deps.changed('missions', [missionId]);
}

type SidecarsToRead = Files & { refusals: string[] };

/** Reads the telemetry that was uploaded as text files with the recordings. */
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

type Finishing = {
  context: JobContext;
  subject: JobSubject;
  files: FileToBuild[];
  sidecars: TimedSidecar[];
  refusals: string[];
};

async function finish(deps: IngestDeps, finishing: Finishing): Promise<BuiltIndex> {
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
  return built;
}

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
