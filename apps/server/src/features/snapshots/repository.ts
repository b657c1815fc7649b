import { type Actor, AppError, type FrameAnchor, type PictureSource, type SnapshotMark } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Items } from '../../base/items/items.ts';
import { visiblePlatformSensors } from '../../base/items/platform-facts.ts';
import { indexKeyOfSensor } from '../../base/items/sensors.ts';
import { visible, visibleDocuments } from '../../base/items/visibility.ts';
import { type Anchors, columnsOf, type FrameColumns, framePlaces } from '../../media/anchors/frame-places.ts';
import type { FrameTelemetry } from './telemetry-at.ts';

/** The frame shown by a snapshot, as stored in its row. */
export type StoredFrame = {
  missionId: string | null;
  sensorId: string | null;
  sensorName: string;
  anchor: FrameAnchor | null;
  takenTime: number;
  picture: PictureSource;
  telemetry: FrameTelemetry | null;
  /** The second picture, drawn by the browser; null if there is none. */
  overlays: { sha256: string; sizeBytes: number } | null;
};

export type SnapshotRepository = ReturnType<typeof snapshotRepository>;

/** Columns of a snapshot and its sensor that determine the time of its frame. */
type TakenFrame = FrameColumns & {
  id: string;
  sensor_id: string | null;
  index_key: string | null;
  taken_time: number;
};

/** Reads and writes the rows of snapshots. */
export function snapshotRepository({
  db,
  items,
  anchors,
}: {
  db: Db;
  items: Pick<Items, 'factsOf'>;
  anchors: Anchors;
}) {
  const place = framePlaces<TakenFrame & { last_time: number }>({
    anchors,
    // Only the frame is stored: a snapshot keeps the time at which it was taken.
    async keep({ id }, { file_id, run, pts }) {
      if (file_id === undefined) return;
      const frame = { file_id, run, pts };
      await asSystem(db, 'media').updateTable('snapshots').set(frame).where('document_id', '=', id).execute();
    },
  });

  /** Writes the row of a snapshot; call it in the transaction that creates the document. */
  async function write(tx: Db, documentId: string, frame: StoredFrame): Promise<void> {
    await tx
      .insertInto('snapshots')
      .values({
        document_id: documentId,
        mission_id: frame.missionId,
        sensor_id: frame.sensorId,
        sensor_name: frame.sensorName,
        ...columnsOf(frame.anchor),
        taken_time: frame.takenTime,
        picture: frame.picture,
        overlays_sha256: frame.overlays?.sha256 ?? null,
        overlays_bytes: frame.overlays?.sizeBytes ?? null,
        telemetry: frame.telemetry && JSON.stringify(frame.telemetry),
      })
      .execute();
  }

  /** Finds a sensor of a live platform, both by name, with the facts for access checks. @throws AppError notFound */
  async function liveSensor(actor: Actor, platformName: string, sensorName: string) {
    const row = await visiblePlatformSensors(db, actor)
      .where('platforms.name', '=', platformName)
      .where('platform_sensors.name', '=', sensorName)
      .select(['platforms.id', 'platforms.name', 'platform_sensors.name as sensorName'])
      .executeTakeFirst();
    const facts = row && (await items.factsOf('platform', asSystem(db, 'authorized change'), row.id));
    if (!row || !facts) throw new AppError('notFound');
    return { sensorName: row.sensorName, platform: { ...facts, name: row.name } };
  }

  /** Returns the frame of a document that the actor may read. @throws AppError notFound */
  async function frameOf(actor: Actor, documentId: string) {
    const row = await visibleDocuments(db, actor)
      .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
      .where('documents.id', '=', documentId)
      .select(['snapshots.mission_id', 'sensor_id', 'sensor_name', 'file_id', 'run', 'pts', 'taken_time', 'picture'])
      .select(['snapshots.telemetry', 'overlays_sha256', 'documents.sha256', 'documents.id'])
      .select(indexKeyOfSensor('snapshots.sensor_id').as('index_key'))
      .executeTakeFirst();
    if (row === undefined) throw new AppError('notFound');
    const times = await timesOf([row]);
    const mission = row.mission_id
      ? await visible(db, actor).where('missions.id', '=', row.mission_id).select(['id', 'name']).executeTakeFirst()
      : undefined;
    const time = mission ? (times.get(row.id) ?? null) : null;
    return { ...row, telemetry: row.telemetry as FrameTelemetry | null, mission: mission ?? null, time };
  }

  /** Returns the snapshots of a mission that the actor may read, sorted by time. */
  async function ofMission(actor: Actor, missionId: string): Promise<SnapshotMark[]> {
    const rows = await visibleDocuments(db, actor)
      .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
      .where('snapshots.mission_id', '=', missionId)
      .select(['documents.id', 'documents.title', 'documents.thumbnail'])
      .select(['sensor_id', 'sensor_name', 'file_id', 'run', 'pts', 'taken_time'])
      .select(indexKeyOfSensor('snapshots.sensor_id').as('index_key'))
      .orderBy('taken_time')
      .execute();
    const times = await timesOf(rows);
    return rows.map(({ id, title, sensor_id, sensor_name, thumbnail, index_key, taken_time }) => ({
      _id: id,
      title,
      sensor: sensor_name,
      // A running recording has no index yet, so the time at which the snapshot was taken is used.
      time: times.get(id) ?? (sensor_id !== null && index_key === null ? taken_time : null),
      thumbnail: thumbnail ? `/documents/${id}.webp` : null,
    }));
  }

  /** Returns the times of the frames according to their sensors' current indexes, by document id. */
  async function timesOf(rows: readonly TakenFrame[]): Promise<Map<string, number>> {
    const placed = await place(rows.map((row) => ({ ...row, last_time: row.taken_time })));
    return new Map(placed.flatMap(({ id, last_time, state }) => (state === 'shown' ? [[id, last_time]] : [])));
  }

  return { write, liveSensor, frameOf, ofMission };
}
