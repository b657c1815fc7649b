import { asSystem } from '../../base/access/as-system.ts';
import type { JobContext } from '../../base/jobs/definition.ts';
import { streamKeyOf } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import { isContainer } from '../formats/containers/survey.ts';
import { indexFile } from '../index/build-file-index.ts';
import { conversionOf } from '../index/conversion.ts';
import { type FileIndex, fileIndexKey, getJson, readFileIndex } from '../index/file-index.ts';
import type { RequestedKlv } from '../index/klv-survey.ts';
import type { FileToBuild } from './build-index.ts';
import { type ContainerFacts, embeddedTelemetry, prepareContainer, storedFacts } from './container-file.ts';
import { type JobSubject, throttled, updateOf } from './flow.ts';
import type { FileRow, IngestDeps } from './ingest-deps.ts';
import { raiseLabel } from './label.ts';
import { INDEX_REMARK, isIndexComplete } from './mend-index.ts';
import { isToReadAgain, wasReadAgain } from './read-again.ts';
import { setFileState } from './sensor-rows.ts';
import type { SidecarIndex } from './sidecar-index.ts';

type Share = { done: number; of: number };
type ToRead = { subject: JobSubject; row: FileRow; share: Share };
/**
 * Result of reading one recording: the index, the facts of its container (null for a transport stream), and embedded
 * telemetry that is not KLV (null if there is none).
 */
type ReadFile = { index: FileIndex; facts: ContainerFacts | null; embedded: SidecarIndex | null };

/** Reads the stored index of a recording; null if it was not indexed before. */
export async function readBefore({ storage }: IngestDeps, row: FileRow): Promise<ReadFile | null> {
  const index = await readFileIndex<FileIndex>(storage, row.sensor_id, row.id);
  const facts = isContainer(row.kind) ? await storedFacts(storage, row) : null;
  return index && { index, facts, embedded: null };
}

/** Reads a recording; one in a container is first converted to a transport stream, once. */
export async function readRecording(
  deps: IngestDeps,
  context: JobContext,
  { subject, row, share }: ToRead,
): Promise<ReadFile> {
  const { kind } = row;
  if (!isContainer(kind))
    return { index: await indexRecording(deps, context, { subject, row, share }), facts: null, embedded: null };
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
  const index = await indexRecording(deps, context, { subject, row, share: half }, isNew);
  const isExchanged = row.coordinates_exchanged;
  const embedded = await embeddedTelemetry(deps, container, { facts, index, isExchanged, again: isNew, signal });
  return { index, facts, embedded };
}

/** Returns the index of one file: the stored one, or a new one if there is none or a user requested it again. */
async function indexRecording(
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
 * Returns whether the file was read with the KLV stream that is to be shown. An index made during recording may name a
 * better one.
 */
function isReadAs({ klv: { chosen, better, apart, found } }: FileIndex, requested: RequestedKlv | null): boolean {
  if (apart !== undefined) return false;
  if (requested === null) return better === undefined && chosen?.by !== 'user';
  // Reading again cannot find a stream that is not in the file, for example one that a live sensor has lost since.
  return chosen === undefined || chosen.pid === requested.pid || !found?.some(({ pid }) => pid === requested.pid);
}

/** Returns whether the index of a file is damaged; an outdated version does not count as damaged. */
const isIndexDamaged = (storage: Storage, { sensor_id, id }: FileRow): Promise<boolean> =>
  getJson(storage, fileIndexKey(sensor_id, id)).then(
    () => false,
    (error) => error instanceof IndexDamaged,
  );

/** Notes that the index was rebuilt, in the health of the recording and in the audit. */
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

/** Returns the source of the video; null if a rendition has to be made first, or if there is no video. */
export async function playableOf(storage: Storage, row: FileRow, index: FileIndex): Promise<FileToBuild['playable']> {
  if (index.video === null) return null;
  if (conversionOf(index) === 'none') return { storageKey: streamKeyOf(row), index };
  // A rendition may be missing after a restore, since backups can leave renditions out.
  if (row.rendition_key === null || (await storage.stat(row.rendition_key)) === null) return null;
  const rendition = await readFileIndex(storage, row.sensor_id, renditionId(row.id));
  return rendition && { storageKey: row.rendition_key, index: rendition };
}

/** Id of the index of a file's rendition, which is stored next to the file's own index. */
export const renditionId = (fileId: string): string => `${fileId}-rendition`;
