import type { Sighting } from '@osprey/geo';
import { PACKET_SIZE } from '@osprey/mpegts';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { originalKey } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { createKlvRecords } from '../../media/index/klv-records.ts';
import { addSightings, createSightings, groundValues, LIVE_KEY } from '../../media/ingest/coverage.ts';
import { makeCoverageHours } from '../../media/ingest/coverage-hours.ts';
import type { GroundRecord } from '../../media/ingest/ground.ts';
import { type Pipeline, pipeline } from '../../recorder/stream/pipeline.ts';
import type { RecordedSensor } from '../../recorder-wire/protocol.ts';
import { livePieces } from './live-shapes.ts';
import type { RecorderMirror } from './mirror.ts';

/**
 * Interval of updates, which is the delay of search results after recording; the recorder's buffer adds half a second.
 */
const EVERY_MS = 1500;
/** Size of one read. At most CHUNKS reads of a sensor are done in a row; the rest waits for the other sensors. */
const CHUNK_BYTES = 2 * 1024 * 1024 - ((2 * 1024 * 1024) % PACKET_SIZE);
const CHUNKS = 16;
/** Number of bytes read again after a restart, to find the stream's PAT and PMT. */
const BACK_BYTES = 20_000 * PACKET_SIZE;
/** Interval of updates of the last-seen map, which has a resolution of minutes. */
const SEEN_MS = 30_000;
/** Minimum interval between notifications to pages about new coverage. */
const COVERAGE_NOTICE_MS = 3000;
const MINUTES_OF_HOUR = 60;

export type LiveCoverageDeps = {
  db: Kysely<Database>;
  /** Storage of running recordings. */
  storage: Pick<Storage, 'read' | 'stat'>;
  mirror: Pick<RecorderMirror, 'recordings' | 'segments'>;
  /**
   * Called with the minutes of a sensor that have new footprints, once these are stored; `isLive` is true if everything
   * recorded so far has been read. Must not throw.
   */
  onSighted: (found: { sensorId: string; minutes: number[]; isLive: boolean }) => Promise<void>;
  /** Called at intervals of some seconds while the coverage or track of a sensor of this mission grows. */
  onGrew: (missionId: string) => void;
  /** Called after this mission got its position on overview maps. */
  onPlaced: (missionId: string) => void;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

type Followed = {
  /** Offset up to which each file was read, by file id; stored together with the results. */
  read: Record<string, number>;
  /** Offsets stored when reading started. Bytes below them are read again, but are already contained in the pieces. */
  stored: Readonly<Record<string, number>>;
  pieces: ReturnType<typeof livePieces>;
  hasGrown: boolean;
  isPlaced: boolean;
  grewMs: number;
  pipelines: Map<string, Pipeline>;
  found: Sighting[];
  sightingsIn: ReturnType<typeof createSightings>;
  /** True while the bytes being read are already contained in the stored pieces. */
  isStored: boolean;
  /** True if the sensor already has a row in coverage_sensors. */
  isBegun: boolean;
  isOver: boolean;
  hours: Set<number>;
  seenMs: number;
};

/** Thrown if the index is being rebuilt, so that the sensor must be read from its beginning. */
class Forgotten extends Error {}

/**
 * Extends the coverage index while missions are being recorded. Reads the growing files, so that the index is complete
 * even after a restart or a database fault, and includes the pre-roll. Ingest later replaces it.
 */
export function liveCoverage({ db, storage, mirror, onSighted, onGrew, onPlaced, nowMs, log }: LiveCoverageDeps) {
  const followed = new Map<string, Followed>();
  const records = createKlvRecords();
  let working: Promise<void> | null = null;
  let closed = false;
  const timer = setInterval(() => {
    working ??= extendCoverage().finally(() => {
      working = null;
    });
  }, EVERY_MS);
  timer.unref();

  async function extendCoverage(): Promise<void> {
    const sensors = mirror
      .recordings()
      .flatMap((recording) => recording.sensors)
      .filter(({ type, files }) => type === 'video' && files.length > 0);
    const ids = new Set(sensors.map(({ sensorId }) => sensorId));
    for (const id of followed.keys()) if (!ids.has(id)) followed.delete(id);
    for (const sensor of sensors) {
      if (closed) return;
      await follow(sensor).catch((error) => {
        // Forgets the sensor's state, so that bytes that were read but not stored are read again.
        followed.delete(sensor.sensorId);
        if (!(error instanceof Forgotten)) log.warn({ error, sensor: sensor.sensorId }, 'seen ground was not kept');
      });
    }
  }

  async function follow(sensor: RecordedSensor): Promise<void> {
    const own = followed.get(sensor.sensorId) ?? (await begun(sensor.sensorId));
    followed.set(sensor.sensorId, own);
    if (own.isOver) return;
    const isAll = await readOn(sensor, own);
    own.isOver = !(await write(sensor.sensorId, own, isAll));
  }

  async function begun(sensorId: string): Promise<Followed> {
    const row = await asSystem(db, 'recorder')
      .selectFrom('coverage_sensors')
      .innerJoin('sensors', 'sensors.id', 'coverage_sensors.sensor_id')
      .select(['mission_id', 'live_read', 'live_last', sql<boolean>`live_last is not null`.as('hasPieces')])
      .where('sensor_id', '=', sensorId)
      .where('coverage_sensors.index_key', '=', LIVE_KEY)
      .executeTakeFirst();
    // An earlier version stored no pieces, so they are created from the whole recording.
    const stored = (row?.hasPieces ? row.live_read : {}) as Record<string, number>;
    const number = row?.hasPieces ? await nextPiece({ missionId: row.mission_id, sensorId }) : 0;
    return {
      read: Object.fromEntries(Object.entries(stored).map(([id, bytes]) => [id, Math.max(0, bytes - BACK_BYTES)])),
      stored,
      pieces: livePieces({ number, last: (row?.live_last ?? null) as GroundRecord | null }),
      ...{ isStored: false, hasGrown: false, isPlaced: false, grewMs: Number.NEGATIVE_INFINITY },
      ...{
        pipelines: new Map(),
        found: [],
        sightingsIn: createSightings(),
        hours: new Set(),
        seenMs: Number.NEGATIVE_INFINITY,
      },
      isBegun: row !== undefined,
      isOver: false,
    };
  }

  async function nextPiece({ missionId, sensorId }: { missionId: string; sensorId: string }): Promise<number> {
    const { next } = await asSystem(db, 'recorder')
      .selectFrom('mission_shapes')
      .select(sql<number>`coalesce(max(piece) + 1, 0)`.as('next'))
      .where('mission_id', '=', missionId)
      .where('sensor_id', '=', sensorId)
      .executeTakeFirstOrThrow();
    return next;
  }

  /** Continues reading the files of a recorded sensor. Returns true once all bytes in them have been read. */
  async function readOn({ sensorId, files }: RecordedSensor, own: Followed): Promise<boolean> {
    let left = CHUNKS;
    for (const { fileId, startedUs, klvPid } of files) {
      const key = originalKey(sensorId, fileId);
      const sizeBytes = (await storage.stat(key))?.sizeBytes ?? 0;
      const end = sizeBytes - (sizeBytes % PACKET_SIZE);
      for (let at = own.read[fileId] ?? 0; at < end; at = own.read[fileId]!) {
        if (left-- === 0 || closed) return false;
        const stored = own.stored[fileId] ?? 0;
        own.isStored = at < stored;
        const to = Math.min(end, at + CHUNK_BYTES, own.isStored ? stored : end);
        const chunks: Buffer[] = [];
        for await (const chunk of storage.read(key, { start: at, end: to, isComplete: true }))
          chunks.push(chunk as Buffer);
        const reader = pipelineOf(own, fileId);
        // Use the KLV stream that a user chose, as ingest does.
        reader.wantKlv(klvPid ?? null);
        reader.push(Buffer.concat(chunks), arrivalOf(fileId, at) ?? startedUs);
        own.read[fileId] = to;
      }
    }
    return true;
  }

  function arrivalOf(fileId: string, at: number): number | null {
    return (
      mirror.segments(fileId).findLast((segment) => segment !== undefined && segment.offset <= at)?.startUs ?? null
    );
  }

  function pipelineOf(own: Followed, fileId: string): Pipeline {
    const existing = own.pipelines.get(fileId);
    if (existing) return existing;
    const made = pipeline({
      ...{ online: () => undefined, unit: () => undefined, packets: () => undefined, changed: () => undefined },
      klv({ bytes, arrivalUs }) {
        const record = recordIn(bytes, arrivalUs);
        if (record === null) return;
        own.found.push(...own.sightingsIn(record.timeUs, record.values));
        if (!own.isStored) own.pieces.add(record);
      },
    });
    own.pipelines.set(fileId, made);
    return made;
  }

  /** Decodes one set; null if it is broken. */
  function recordIn(klv: Uint8Array, arrivalUs: number): GroundRecord | null {
    try {
      const set = records.read(klv, 0, klv.length);
      if (set === null || set.record === null || set.checksum === 'bad') return null;
      const { timeUs, numbers } = set.record;
      const values = groundValues((tag) => numbers[tag] ?? Number.NaN);
      return { timeUs: timeUs ?? Math.round(arrivalUs), values };
    } catch (error) {
      if (error instanceof Error && error.name === 'FormatError') return null;
      throw error;
    }
  }

  /** Stores the results. Returns false once ingest has created an index, which replaces this one. */
  async function write(sensorId: string, own: Followed, isAll: boolean): Promise<boolean> {
    let found: number[] = [];
    let missionId = '';
    const written = await db.transaction().execute(async (tx) => {
      const row = await asSystem(tx, 'recorder')
        .selectFrom('sensors')
        .select(['index_key', 'mission_id'])
        .where('id', '=', sensorId)
        .forShare()
        .executeTakeFirst();
      // The sensor has no row yet, since it is written together with that of its mission.
      if (row === undefined) return true;
      if (row.index_key !== null) return false;
      const read = Object.entries(own.read).map(([id, bytes]) => [id, Math.max(bytes, own.stored[id] ?? 0)]);
      const live_read = JSON.stringify(Object.fromEntries(read));
      const values = { sensor_id: sensorId, index_key: LIVE_KEY, footprints: 0, live_read };
      const made = await asSystem(tx, 'recorder')
        .insertInto('coverage_sensors')
        .values(values)
        .onConflict((conflict) => conflict.column('sensor_id').doNothing())
        .returning('sensor_id')
        .executeTakeFirst();
      if (made !== undefined && own.isBegun) throw new Forgotten();
      const { added, minutes } = await addSightings(tx, sensorId, own.found);
      found = minutes;
      missionId = row.mission_id;
      if (await own.pieces.write(tx, { missionId, sensorId })) own.hasGrown = true;
      for (const minute of minutes) own.hours.add(Math.floor(minute / MINUTES_OF_HOUR));
      await asSystem(tx, 'recorder')
        .updateTable('coverage_sensors')
        .set({
          live_read,
          live_last: JSON.stringify(own.pieces.last()),
          footprints: sql`footprints + ${added}`,
          ...(isAll && { caught_up: sql`extract(epoch from clock_timestamp()) * 1000000` }),
        })
        .where('sensor_id', '=', sensorId)
        .where('index_key', '=', LIVE_KEY)
        .execute();
      own.isBegun = true;
      return true;
    });
    if (!own.isBegun) return written;
    own.found = [];
    // Ingest has replaced the index, or the mission was deleted.
    if (missionId === '') return written;
    if (found.length > 0) await onSighted({ sensorId, minutes: found, isLive: isAll });
    await place(missionId, own);
    if (own.hasGrown && nowMs() - own.grewMs >= COVERAGE_NOTICE_MS) {
      own.hasGrown = false;
      own.grewMs = nowMs();
      onGrew(missionId);
    }
    if (nowMs() - own.seenMs < SEEN_MS) return written;
    const hours = [...own.hours];
    own.hours.clear();
    own.seenMs = nowMs();
    await makeCoverageHours(db, { sensorId, indexKey: LIVE_KEY, hours });
    return written;
  }

  /** Sets the mission's position on overview maps to its first known one; ingest chooses a better one. */
  async function place(missionId: string, own: Followed): Promise<void> {
    const found = own.pieces.place();
    if (own.isPlaced || found === null) return;
    own.isPlaced = true;
    const { numUpdatedRows } = await asSystem(db, 'recorder')
      .updateTable('missions')
      .set({ place_lon: found[0], place_lat: found[1] })
      .where('id', '=', missionId)
      .where('place_lon', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) onPlaced(missionId);
  }

  return {
    async close(): Promise<void> {
      closed = true;
      clearInterval(timer);
      await working;
    },
  };
}
