import type { Asset, MissionUpdate } from '@osprey/contract';
import { asSystem, type Db } from '../base/access/as-system.ts';
import type { FileReading } from '../base/items/tables.ts';
import type { JobQueue } from '../base/jobs/queue.ts';
import { mediaEnding, originalKey } from '../base/storage/originals.ts';
import type { Storage } from '../base/storage/storage.ts';
import type { FileKind } from './sniff.ts';
import type { Target } from './target.ts';

/** A file that is stored durably under its upload key and has passed the format check. */
export type Received = {
  /** Id of the upload, which becomes the id of the file, so that accepting it twice creates only one row. */
  id: string;
  key: string;
  kind: FileKind;
  name: string;
  sizeBytes: number;
  sha256: string;
  /** Modification time of the file as given by the browser, in microseconds; null: none. */
  lastModified: number | null;
  /**
   * Time when another server received the file, in microseconds; left out: now. The times of undated recordings are
   * derived from it.
   */
  created?: number;
  /** Remark that another server stored when the file arrived. */
  remark?: string | null;
  /**
   * Settings of a telemetry file on another server: `timeOffset` is added to its times, in microseconds, and
   * `coordinatesExchanged` says whether its coordinates are swapped.
   */
  timeOffset?: number;
  coordinatesExchanged?: boolean;
  /** Options that a user on another server chose for reading the file. */
  reading?: FileReading | null;
};

export type AcceptDeps = {
  db: Db;
  storage: Storage;
  queue: Pick<JobQueue, 'enqueue'>;
  changed: (noun: 'missions', ids: string[]) => void;
  flow: (update: MissionUpdate) => void;
  nowUs: () => number;
};

const endings = {
  ts: 'ts',
  mp4: 'mp4',
  mkv: 'mkv',
  archive: 'zip',
  manifest: 'json',
  sidecar: 'txt',
  ais: 'nmea',
} as const satisfies Record<FileKind, string>;

export const uploadedKey = (sensorId: string, fileId: string, kind: FileKind): string =>
  originalKey(sensorId, fileId, endings[kind]);

/**
 * Adds received files to their sensor, all or none: moves them to their final keys, then writes rows, states and the
 * job in one transaction. Ingest continues from there; archives are unpacked first.
 */
export async function acceptFiles(
  deps: AcceptDeps,
  target: Target,
  files: readonly Received[],
  userId: string | null,
): Promise<Asset[]> {
  const { db, storage, queue } = deps;
  const created = deps.nowUs();
  for (const file of files) await moveOnce(storage, file.key, uploadedKey(target.sensorId, file.id, file.kind));

  await db.transaction().execute(async (tx) => {
    const rows = files.map((file) => toRow(file, target.sensorId, userId, created));
    await asSystem(tx, 'upload')
      .insertInto('files')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await setProcessing(tx, target);
    const order = { missionId: target.mission.id, sensorId: target.sensorId };
    for (const { id, kind } of files)
      if (kind === 'archive') await queue.enqueue(tx, 'archive', { ...order, fileId: id });
    if (files.some(({ kind }) => kind !== 'archive')) await queue.enqueue(tx, 'ingest', order);
  });

  deps.changed('missions', [target.mission.id]);
  for (const { kind } of files) if (kind === 'archive') deps.flow(missionUpdate(target, { type: 'hlsDetection' }));
  return files.map((file) => toAsset(file, target.sensorId));
}

/** Moves a file, unless it was already moved before a crash. */
async function moveOnce(storage: Storage, from: string, to: string): Promise<void> {
  const waiting = await storage.stat(from);
  if (waiting === null && (await storage.stat(to)) !== null) return;
  await storage.move(from, to);
}

async function setProcessing(tx: Db, { mission, sensorId }: Target): Promise<void> {
  const state = { state: 'Processing', message: null };
  await asSystem(tx, 'upload').updateTable('sensors').set(state).where('id', '=', sensorId).execute();
  await asSystem(tx, 'upload').updateTable('missions').set(state).where('id', '=', mission.id).execute();
}

const toRow = (file: Received, sensorId: string, userId: string | null, created: number) => ({
  id: file.id,
  sensor_id: sensorId,
  kind: file.kind,
  name: file.name,
  size_bytes: file.sizeBytes,
  sha256: file.sha256,
  storage_key: uploadedKey(sensorId, file.id, file.kind),
  rendition_key: null,
  state: 'waiting',
  message: null,
  remark: file.remark ?? null,
  time_offset: file.timeOffset ?? 0,
  coordinates_exchanged: file.coordinatesExchanged ?? false,
  reading: file.reading ? JSON.stringify(file.reading) : null,
  last_modified: file.lastModified,
  start_time: null,
  end_time: null,
  uploaded_by: userId,
  created: file.created ?? created,
});

const toAsset = (file: Received, sensorId: string): Asset => ({
  _id: file.id,
  path: `/api/media/${sensorId}/${file.id}.${mediaEnding(file.kind)}`,
  name: file.name,
  sizeBytes: file.sizeBytes,
  sha256: file.sha256,
  kind: file.kind,
  startTime: null,
  endTime: null,
  state: 'waiting',
  message: null,
});

/** Builds a mission_update message. All fields that its type does not use are null. */
export const missionUpdate = (
  target: Target,
  update: Pick<MissionUpdate, 'type'> & Partial<Pick<MissionUpdate, 'progress' | 'bytes' | 'totalBytes' | 'text'>>,
): MissionUpdate => ({
  mission: target.mission.id,
  missionName: target.mission.name,
  sensor: target.sensorId,
  sensorName: target.sensorName,
  progress: null,
  bytes: null,
  totalBytes: null,
  phase: null,
  areaSqKm: null,
  text: null,
  ...update,
});
