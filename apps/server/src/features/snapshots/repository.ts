import { type Actor, AppError, type PictureSource, type SnapshotMark } from '@osprey/contract';
import { asSystem, type Db, visible, visibleDocuments, visiblePlatforms } from '../../base/access/visibility.ts';
import type { Items } from '../../base/items/items.ts';
import type { FrameTelemetry } from './telemetry-at.ts';

/** The frame that a snapshot shows, as its row keeps it. */
export type KeptFrame = {
  missionId: string | null;
  sensorId: string | null;
  sensorName: string;
  anchor: { fileId: string; run: number; pts: number } | null;
  takenTime: number;
  picture: PictureSource;
  telemetry: FrameTelemetry | null;
  /** The second picture, which the browser drew; null without one. */
  overlays: { sha256: string; sizeBytes: number } | null;
};

export type SnapshotRepository = ReturnType<typeof snapshotRepository>;

type Anchor = NonNullable<KeptFrame['anchor']>;
type Anchors = {
  at: (sensorId: string, utcUs: number) => Promise<Anchor | null>;
  /** Times of the frames of one sensor, null for frames that it no longer shows. */
  times: (sensorId: string, anchors: readonly Anchor[]) => Promise<(number | null)[]>;
};

/**
 * The time of a snapshot of a running recording came from the telemetry so far; the whole recording may date its
 * picture a little later. No picture is so short.
 */
const LIVE_CLOCK_US = 1000;

/** All SQL about snapshots. */
export function snapshotRepository({
  db,
  items,
  anchors,
}: {
  db: Db;
  items: Pick<Items, 'factsOf'>;
  anchors: Anchors;
}) {
  /** Belongs into the transaction that writes the document. */
  async function write(tx: Db, documentId: string, frame: KeptFrame): Promise<void> {
    await tx
      .insertInto('snapshots')
      .values({
        document_id: documentId,
        mission_id: frame.missionId,
        sensor_id: frame.sensorId,
        sensor_name: frame.sensorName,
        file_id: frame.anchor?.fileId ?? null,
        run: frame.anchor?.run ?? null,
        pts: frame.anchor?.pts ?? null,
        taken_time: frame.takenTime,
        picture: frame.picture,
        overlays_sha256: frame.overlays?.sha256 ?? null,
        overlays_bytes: frame.overlays?.sizeBytes ?? null,
        telemetry: frame.telemetry && JSON.stringify(frame.telemetry),
      })
      .execute();
  }

  /** A sensor of a live platform, both by name, with the facts that decide. @throws AppError notFound */
  async function liveSensor(actor: Actor, platformName: string, sensorName: string) {
    const row = await visiblePlatforms(db, actor)
      .innerJoin('platform_sensors', 'platform_sensors.platform_id', 'platforms.id')
      .where('platforms.name', '=', platformName)
      .where('platform_sensors.name', '=', sensorName)
      .select(['platforms.id', 'platforms.name', 'platform_sensors.name as sensorName'])
      .executeTakeFirst();
    const facts = row && (await items.factsOf('platform', asSystem(db, 'authorized change'), row.id));
    if (!row || !facts) throw new AppError('notFound');
    return { sensorName: row.sensorName, platform: { ...facts, name: row.name } };
  }

  /** The frame of a document that the actor may read. @throws AppError notFound */
  async function frameOf(actor: Actor, documentId: string) {
    const row = await visibleDocuments(db, actor)
      .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
      .where('documents.id', '=', documentId)
      .select(['mission_id', 'sensor_id', 'sensor_name', 'file_id', 'run', 'pts', 'taken_time', 'picture'])
      .select(['snapshots.telemetry', 'overlays_sha256', 'documents.sha256', 'documents.id'])
      .executeTakeFirst();
    if (row === undefined) throw new AppError('notFound');
    await anchor([row]);
    const mission = row.mission_id
      ? await visible(db, actor).where('missions.id', '=', row.mission_id).select(['id', 'name']).executeTakeFirst()
      : undefined;
    const [time = null] = mission && row.sensor_id && isPlaced(row) ? await timesOf(row.sensor_id, [row]) : [];
    return { ...row, telemetry: row.telemetry as FrameTelemetry | null, mission: mission ?? null, time };
  }

  /** Snapshots of a mission that the actor may read, by time. */
  async function ofMission(actor: Actor, missionId: string): Promise<SnapshotMark[]> {
    const rows = await visibleDocuments(db, actor)
      .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
      .where('snapshots.mission_id', '=', missionId)
      .select(['documents.id', 'documents.title', 'documents.thumbnail'])
      .select(['sensor_id', 'sensor_name', 'file_id', 'run', 'pts', 'taken_time'])
      .leftJoin('sensors', 'sensors.id', 'snapshots.sensor_id')
      .select('sensors.index_key')
      .orderBy('taken_time')
      .execute();
    await anchor(rows);
    const found = new Map<string, number | null>();
    for (const [sensorId, own] of Map.groupBy(rows, ({ sensor_id }) => sensor_id)) {
      const placed = own.filter(isPlaced);
      const placedTimes = sensorId === null ? [] : await timesOf(sensorId, placed);
      for (const [at, { id }] of placed.entries()) found.set(id, placedTimes[at] ?? null);
    }
    return rows.map(({ id, title, sensor_id, sensor_name, thumbnail, index_key, taken_time }) => ({
      _id: id,
      title,
      sensor: sensor_name,
      // Nothing of a recording that goes on has been read yet.
      time: found.get(id) ?? (sensor_id !== null && index_key === null ? taken_time : null),
      thumbnail: thumbnail ? `/documents/${id}.webp` : null,
    }));
  }

  /** Snapshots from before their recording was read get their frame now, if there is one. */
  async function anchor(rows: Waiting[]): Promise<void> {
    for (const row of rows) {
      if (row.file_id !== null || row.sensor_id === null) continue;
      const found = await anchors.at(row.sensor_id, row.taken_time + LIVE_CLOCK_US);
      if (found === null) continue;
      Object.assign(row, { file_id: found.fileId, run: found.run, pts: found.pts });
      const frame = { file_id: found.fileId, run: found.run, pts: found.pts };
      await asSystem(db, 'media').updateTable('snapshots').set(frame).where('document_id', '=', row.id).execute();
    }
  }

  const timesOf = (sensorId: string, rows: readonly Placed[]) =>
    anchors.times(
      sensorId,
      rows.map(({ file_id, run, pts }) => ({ fileId: file_id, run, pts })),
    );

  return { write, liveSensor, frameOf, ofMission };
}

type Waiting = { id: string; sensor_id: string | null; file_id: string | null; taken_time: number };
type Placed = { file_id: string; run: number; pts: number };

const isPlaced = <Row extends { [Key in keyof Placed]: Placed[Key] | null }>(row: Row): row is Row & Placed =>
  row.file_id !== null && row.run !== null && row.pts !== null;
