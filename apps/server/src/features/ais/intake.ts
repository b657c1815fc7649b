import { setImmediate as nextInput, setTimeout as wait } from 'node:timers/promises';
import type { AisEvent } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/visibility.ts';
import type { Database } from '../../base/db/schema.ts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import type { RecorderMirror } from '../../live/rows/mirror.ts';
import { type AisFileName, readAisFileKey, receptionOf, STAMP_BYTES } from '../../recorder-wire/ais-files.ts';
import type { AisFile } from '../../recorder-wire/protocol.ts';
import { type AisBatches, aisBatches, type Batch } from './batch.ts';
import type { Place } from './jump.ts';
import { receiverRange } from './ranges.ts';
import { slotsOf, writeBatch } from './write.ts';

const CHUNK_BYTES = 512 * 1024;
/** Read once more where reading begins in the middle of a file: the first sentences of a message that goes on there. */
const BEFORE_BYTES = 4096;
const AGAIN_MS = 500;
/** The recorder's word of a new file, which it sends before it makes it, arrives within this. */
const WORD_MS = 250;
/** A page hears of one sensor no more often. */
const TOLD_MS = 1000;
/** The mission of a file that is not older may be about to get its row. */
const NEW_US = 3_600_000_000;
const LF = 0x0a;

export type AisIntakeDeps = {
  db: Kysely<Database>;
  /** In `OSPREY_DATA/live`. */
  storage: Storage;
  mirror: Pick<RecorderMirror, 'subscribe' | 'recordings'>;
  /** For maps. */
  heard: (sourceId: number, batch: Batch) => void;
  tell: (event: AisEvent) => void;
  nowUs: () => number;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** Where the rows of a file go. */
type Source = {
  id: number;
  missionId: string | null;
  platformId: string;
  places: Map<number, Place>;
  batches: AisBatches;
  /** Nothing was read for it yet. */
  isNew: boolean;
  range: ReturnType<typeof receiverRange>;
};

/**
 * Makes rows of what the recorder writes to its files of AIS. How far a file was read is kept with the rows of it, in one
 * transaction: what came while the database or this process was away becomes rows once. A file that has ended is removed.
 */
export function aisIntake(deps: AisIntakeDeps) {
  const { db, storage, mirror, log, nowMs } = deps;
  const sensors = new Map<string, ReturnType<typeof sensorIntake>>();
  const made = new Set<number>();
  let closed = false;
  /** Files of the messages that the recorder sends while those on the disk are listed. */
  let told: Map<string, AisFile> | null = null;

  const unsubscribe = mirror.subscribe({
    onMessage(message) {
      if (message.kind === 'hello') void findAll(message.ais).catch((error) => log.warn({ error }, 'files of AIS'));
      if (message.kind !== 'ais') return;
      if (told === null) found(message.file);
      else told.set(message.file.key, message.file);
    },
  });

  /** The recorder names those that grow, also those that it begins meanwhile; all others have ended. */
  async function findAll(growing: readonly AisFile[]): Promise<void> {
    const all = new Map(growing.map((file) => [file.key, file]));
    told = all;
    try {
      const stored: AisFile[] = [];
      for await (const { key, sizeBytes } of storage.list('ais')) stored.push({ key, sizeBytes, ended: true });
      await wait(WORD_MS);
      await nextInput();
      for (const file of stored) if (!all.has(file.key)) all.set(file.key, file);
    } finally {
      // Else a recorder that came since has named its files.
      if (told === all) {
        told = null;
        for (const file of [...all.values()].sort(inOrder)) found(file);
      }
    }
  }

  function found(file: AisFile): void {
    const named = readAisFileKey(file.key);
    if (named === null || closed) return;
    const known = sensors.get(named.sensorId) ?? sensorIntake(named.sensorId);
    sensors.set(named.sensorId, known);
    known.add(file);
  }

  function sensorIntake(sensorId: string) {
    const files = new Map<string, AisFile>();
    let source: Source | null = null;
    let working: Promise<void> | null = null;
    /** A file grew, ended or came while others were read. */
    let isTold = false;
    let toldMs = Number.NEGATIVE_INFINITY;
    let untold = 0;
    let telling: NodeJS.Timeout | null = null;

    function add(file: AisFile): void {
      const known = files.get(file.key);
      // Word of an ended file is final, in whichever order it comes.
      if (!known?.ended) files.set(file.key, file);
      isTold = true;
      working ??= work();
    }

    async function work(): Promise<void> {
      while (!closed) {
        const [next] = [...files.values()].sort(inOrder);
        if (next === undefined) break;
        const { key } = next;
        isTold = false;
        const done = await takeOrForget(key).catch(async (error) => {
          log.warn({ error, sensorId }, 'AIS could not be taken into the database');
          // Sentences that were read and not written are read again.
          source = null;
          await wait(AGAIN_MS);
          return false;
        });
        const isGrowing = files.get(key)?.ended === false;
        if (!done || !isGrowing) continue;
        // The recorder has begun another one: this one has ended, and its last word is on the way.
        if (files.size > 1) await wait(AGAIN_MS / 10);
        else if (!isTold) break;
      }
      working = null;
    }

    /** The recorder removes the oldest files where nobody took them in for days: the others are read all the same. */
    async function takeOrForget(key: string): Promise<boolean> {
      try {
        return await take(key);
      } catch (error) {
        if (!(error instanceof NotStored)) throw error;
        return forgetFile(key);
      }
    }

    /** Reads what there is of a file. True: all that is known of. */
    async function take(key: string): Promise<boolean> {
      const to = await sourceOf(key);
      if (to === undefined) return drop(key);
      let at = await readBytes(key, to);
      if (to.isNew && at > 0) await readBefore(key, at, to);
      to.isNew = false;
      for (;;) {
        const file = files.get(key);
        if (file === undefined || closed) return true;
        if (at >= file.sizeBytes) {
          if (file.ended) await drop(key);
          return true;
        }
        const bytes = await chunkOf(key, at, file.sizeBytes);
        const whole = bytes.lastIndexOf(LF) + 1;
        if (whole === 0) {
          if (!file.ended) return true;
          // The rest of a line that a crash left.
          await drop(key);
          return true;
        }
        readLines(bytes.subarray(0, whole), to.batches);
        await write(to, key, at, whole);
        at += whole;
      }
    }

    async function readBefore(key: string, at: number, to: Source): Promise<void> {
      readLines(await chunkOf(key, Math.max(0, at - BEFORE_BYTES), at), to.batches);
      to.batches.take();
    }

    async function chunkOf(key: string, at: number, size: number): Promise<Buffer> {
      const end = Math.min(size, at + CHUNK_BYTES);
      const parts: Buffer[] = [];
      for await (const part of storage.read(key, { start: at, end })) parts.push(part as Buffer);
      return Buffer.concat(parts);
    }

    async function write(to: Source, key: string, from: number, bytes: number): Promise<void> {
      const batch = to.batches.take();
      const written = await db.transaction().execute(async (tx) => {
        const moved =
          await sql`insert into ais_files (key, source_id, read_bytes) values (${key}, ${to.id}, ${from + bytes})
          on conflict (key) do update set read_bytes = excluded.read_bytes where ais_files.read_bytes = ${from}`.execute(
            tx,
          );
        // Another process has taken these bytes.
        if (moved.numAffectedRows === 0n) return false;
        await writeBatch(tx, { sourceId: to.id, isMission: to.missionId !== null, batch, made, nowUs: deps.nowUs() });
        await to.range.write(tx, to.id, batch);
        return true;
      });
      if (!written) throw new Error('Bytes of AIS were taken already');
      if (to.missionId === null) for (const slot of slotsOf(batch.positions)) made.add(slot);
      deps.heard(to.id, batch);
      tellSoon(to, batch);
    }

    function tellSoon(to: Source, batch: Batch): void {
      untold += batch.last.size + batch.vessels.size;
      if (untold === 0 || telling !== null) return;
      telling = setTimeout(
        () => {
          telling = null;
          toldMs = nowMs();
          deps.tell({ platform: to.platformId, sensor: sensorId, mission: to.missionId, targets: untold });
          untold = 0;
        },
        Math.max(0, toldMs + TOLD_MS - nowMs()),
      );
    }

    async function readBytes(key: string, to: Source): Promise<number> {
      const row = await db
        .selectFrom('ais_files')
        .where('key', '=', key)
        .where('source_id', '=', to.id)
        .select('read_bytes')
        .executeTakeFirst();
      return row?.read_bytes ?? 0;
    }

    async function drop(key: string): Promise<boolean> {
      await storage.remove(key).catch((error) => {
        if (!(error instanceof NotStored)) throw error;
      });
      return forgetFile(key);
    }

    async function forgetFile(key: string): Promise<boolean> {
      files.delete(key);
      await db.deleteFrom('ais_files').where('key', '=', key).execute();
      return true;
    }

    /** Undefined: no user could ever read it. @throws Error while the mission of a recording has no row yet */
    async function sourceOf(key: string): Promise<Source | undefined> {
      const named = readAisFileKey(key)!;
      if (source !== null && source.missionId === named.missionId && source.platformId === named.platformId)
        return source;
      const id = await sourceId(named);
      if (id === null) return undefined;
      const places = await placesOf(id);
      source = {
        ...{ id, missionId: named.missionId, platformId: named.platformId, places },
        ...{ batches: aisBatches(places), isNew: true, range: receiverRange(sensorId, nowMs) },
      };
      return source;
    }

    async function sourceId({ platformId, missionId, startedUs }: AisFileName) {
      const [platform, mission, sensor] = await Promise.all([
        asSystem(db, 'recorder').selectFrom('platforms').where('id', '=', platformId).select('id').executeTakeFirst(),
        missionId === null
          ? null
          : asSystem(db, 'recorder').selectFrom('missions').where('id', '=', missionId).select('id').executeTakeFirst(),
        asSystem(db, 'recorder')
          .selectFrom('platform_sensors')
          .where('id', '=', sensorId)
          .select('name')
          .executeTakeFirst(),
      ]);
      if (missionId !== null && !mission) {
        // Its row comes when the database is there; one that was deleted for good has none any more.
        const isNew = deps.nowUs() - startedUs < NEW_US;
        const isComing = isNew || mirror.recordings().some((recording) => recording.missionId === missionId);
        if (isComing) throw new Error('The mission of a recording has no row yet');
        return null;
      }
      if (platform === undefined && missionId === null) return null;
      const recorded = mirror
        .recordings()
        .flatMap(({ sensors: all }) => all)
        .find(({ liveSensorId }) => liveSensorId === sensorId);
      const name = sensor?.name ?? recorded?.name ?? 'AIS';
      const { rows } = await sql<{ id: number }>`
        insert into ais_sources (sensor_id, name, platform_id, mission_id, created)
        values (${sensorId}, ${name}, ${platform?.id ?? null}, ${missionId}, ${deps.nowUs()})
        on conflict on constraint ais_sources_sensor do update set name = excluded.name
        returning id`.execute(db);
      return rows[0]!.id;
    }

    async function placesOf(id: number): Promise<Map<number, Place>> {
      const rows = await db
        .selectFrom('ais_last')
        .where('source_id', '=', id)
        .select(['mmsi', 'lat', 'lon', 'time'])
        .execute();
      return new Map(rows.map(({ mmsi, ...place }) => [mmsi, place]));
    }

    return {
      add,
      forget(): void {
        source?.places.clear();
        source?.range.forget();
      },
      async close(): Promise<void> {
        if (telling) clearTimeout(telling);
        await working;
      },
    };
  }

  return {
    /** Ships were deleted: where they were is not what the next position is compared with. */
    forget(): void {
      for (const sensor of sensors.values()) sensor.forget();
    },
    async close(): Promise<void> {
      closed = true;
      unsubscribe();
      await Promise.all([...sensors.values()].map((sensor) => sensor.close()));
    },
  };
}

/** Those that have ended first: a recorder that starts after its clock was set back names its file before theirs. */
const inOrder = (a: AisFile, b: AisFile): number => Number(b.ended) - Number(a.ended) || (a.key < b.key ? -1 : 1);

/** Lines of a file of AIS; one without our time block is none of ours. */
export function readLines(bytes: Buffer, batches: AisBatches): void {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LF, start);
    const line = bytes.subarray(start, end);
    const receivedUs = receptionOf(line);
    if (receivedUs !== null) batches.line(line.subarray(STAMP_BYTES), receivedUs);
    start = end + 1;
  }
}
