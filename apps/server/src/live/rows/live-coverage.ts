import type { Sighting } from '@osprey/geo';
import { PACKET_SIZE } from '@osprey/mpegts';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { originalKey } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { createKlvRecords } from '../../media/index/klv-records.ts';
import { addSightings, groundValues, LIVE_KEY, sightingsAt } from '../../media/ingest/coverage.ts';
import { makeCoverageHours } from '../../media/ingest/coverage-hours.ts';
import type { GroundRecord } from '../../media/ingest/ground.ts';
import { type Pipeline, pipeline } from '../../recorder/stream/pipeline.ts';
import type { RecordedSensor } from '../../recorder-wire/protocol.ts';
import { livePieces } from './live-shapes.ts';
import type { RecorderMirror } from './mirror.ts';

/** Delay of responses after the recording, to which the buffer of the recorder adds half a second. */
const EVERY_MS = 1500;
/** Read of a sensor at once; what is beyond waits for the others. */
const CHUNK_BYTES = 2 * 1024 * 1024 - ((2 * 1024 * 1024) % PACKET_SIZE);
const CHUNKS = 16;
/** Read again after a restart, for the tables of the stream. */
const BACK_BYTES = 20_000 * PACKET_SIZE;
/** The map of what was last seen goes by minutes. */
const SEEN_MS = 30_000;
/** Pages are notified of grown ground so often at most. */
const GREW_MS = 3000;
const MINUTES_OF_HOUR = 60;

export type LiveCoverageDeps = {
  db: Kysely<Database>;
  /** Where recordings grow. */
  storage: Pick<Storage, 'read' | 'stat'>;
  mirror: Pick<RecorderMirror, 'recordings' | 'segments'>;
  /**
   * Called with the minutes of a sensor that hold new footprints, once they are written; `isLive`: all that was recorded has been
   * read. It throws nothing.
   */
  onSighted: (found: { sensorId: string; minutes: number[]; isLive: boolean }) => Promise<void>;
  /** Called after the ground or the way of a sensor of this mission grew, some seconds apart. */
  onGrew: (missionId: string) => void;
  /** Called after this mission got its place on overview maps. */
  onPlaced: (missionId: string) => void;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

type Followed = {
  /** Offset up to which each file was read, by its id; written with the results. */
  read: Record<string, number>;
  /** The same at the beginning: what is read again before it is in the pieces. */
  stored: Readonly<Record<string, number>>;
  pieces: ReturnType<typeof livePieces>;
  hasGrown: boolean;
  isPlaced: boolean;
  grewMs: number;
  pipelines: Map<string, Pipeline>;
  found: Sighting[];
  /** The stretch that is being read is in the pieces already. */
  isStored: boolean;
  /** True once the sensor has a row in coverage_sensors. */
  isBegun: boolean;
  isOver: boolean;
  hours: Set<number>;
  seenMs: number;
};

/** The index is being made again: the sensor is read from its beginning. */
class Forgotten extends Error {}

/**
 * Adds to the index of seen ground while missions record. Growing files are read themselves: so it is whole after a
 * restart or a fault of the database too, and holds the seconds from before the beginning. Ingest replaces it.
 */
export function liveCoverage({ db, storage, mirror, onSighted, onGrew, onPlaced, nowMs, log }: LiveCoverageDeps) {
  const followed = new Map<string, Followed>();
  const records = createKlvRecords();
  let working: Promise<void> | null = null;
  let closed = false;
  const timer = setInterval(() => {
    working ??= look().finally(() => {
      working = null;
    });
  }, EVERY_MS);
  timer.unref();

  async function look(): Promise<void> {
    const sensors = mirror
      .recordings()
      .flatMap((recording) => recording.sensors)
      .filter(({ type, files }) => type === 'video' && files.length > 0);
    const ids = new Set(sensors.map(({ sensorId }) => sensorId));
    for (const id of followed.keys()) if (!ids.has(id)) followed.delete(id);
    for (const sensor of sensors) {
      if (closed) return;
      await follow(sensor).catch((error) => {
        // Ground that was read and not written is read again.
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
    // A version before kept no pieces: they are made of the whole recording.
    const stored = (row?.hasPieces ? row.live_read : {}) as Record<string, number>;
    const number = row?.hasPieces ? await nextPiece({ missionId: row.mission_id, sensorId }) : 0;
    return {
      read: Object.fromEntries(Object.entries(stored).map(([id, bytes]) => [id, Math.max(0, bytes - BACK_BYTES)])),
      stored,
      pieces: livePieces({ number, last: (row?.live_last ?? null) as GroundRecord | null }),
      ...{ isStored: false, hasGrown: false, isPlaced: false, grewMs: Number.NEGATIVE_INFINITY },
      ...{ pipelines: new Map(), found: [], hours: new Set(), seenMs: Number.NEGATIVE_INFINITY },
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

  /** Reads on in the files of a recorded sensor. Returns true once all bytes in them have been read. */
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
        const parts: Buffer[] = [];
        for await (const part of storage.read(key, { start: at, end: to, isComplete: true }))
          parts.push(part as Buffer);
        const reader = pipelineOf(own, fileId);
        // Ingest indexes the stream that a user chose, too.
        reader.wantKlv(klvPid ?? null);
        reader.push(Buffer.concat(parts), arrivalOf(fileId, at) ?? startedUs);
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
        own.found.push(...sightingsAt(record.timeUs, record.values));
        if (!own.isStored) own.pieces.add(record);
      },
    });
    own.pipelines.set(fileId, made);
    return made;
  }

  /** Null for a broken set. */
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

  /** False once ingest has made an index, which counts from then on. */
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
      // The row of a sensor is written together with that of its mission, which may still be coming.
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
    // Ingest was here, or the mission was deleted.
    if (missionId === '') return written;
    if (found.length > 0) await onSighted({ sensorId, minutes: found, isLive: isAll });
    await place(missionId, own);
    if (own.hasGrown && nowMs() - own.grewMs >= GREW_MS) {
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

  /** Overview maps show a mission from its first position on; ingest chooses a better one. */
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
