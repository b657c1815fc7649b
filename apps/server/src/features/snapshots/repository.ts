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
};

export type SnapshotRepository = ReturnType<typeof snapshotRepository>;

/** Times of the frames of one sensor, null for frames that it no longer shows. */
type TimesOf = (sensorId: string, anchors: readonly NonNullable<KeptFrame['anchor']>[]) => Promise<(number | null)[]>;

/** All SQL about snapshots. */
export function snapshotRepository({ db, items, times }: { db: Db; items: Pick<Items, 'factsOf'>; times: TimesOf }) {
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
      .select(['snapshots.telemetry', 'documents.sha256'])
      .executeTakeFirst();
    if (row === undefined) throw new AppError('notFound');
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
      .where('mission_id', '=', missionId)
      .select(['documents.id', 'documents.title', 'documents.thumbnail'])
      .select(['sensor_id', 'sensor_name', 'file_id', 'run', 'pts', 'taken_time'])
      .orderBy('taken_time')
      .execute();
    const found = new Map<string, number | null>();
    for (const [sensorId, own] of Map.groupBy(rows, ({ sensor_id }) => sensor_id)) {
      const placed = own.filter(isPlaced);
      const placedTimes = sensorId === null ? [] : await timesOf(sensorId, placed);
      for (const [at, { id }] of placed.entries()) found.set(id, placedTimes[at] ?? null);
    }
    return rows.map(({ id, title, sensor_name, thumbnail }) => ({
      _id: id,
      title,
      sensor: sensor_name,
      time: found.get(id) ?? null,
      thumbnail: thumbnail ? `/documents/${id}.webp` : null,
    }));
  }

  const timesOf = (sensorId: string, rows: readonly Placed[]) =>
    times(
      sensorId,
      rows.map(({ file_id, run, pts }) => ({ fileId: file_id, run, pts })),
    );

  return { write, liveSensor, frameOf, ofMission };
}

type Placed = { file_id: string; run: number; pts: number };

const isPlaced = <Row extends { [Key in keyof Placed]: Placed[Key] | null }>(row: Row): row is Row & Placed =>
  row.file_id !== null && row.run !== null && row.pts !== null;
