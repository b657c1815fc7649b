import { createGunzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { sensorById } from '../../base/items/sensors.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { AIS_LINE_BYTES_MAX, isGzip } from '../../media/formats/ais.ts';
import { readAisLines } from '../../media/index/stream-ais.ts';
import type { ReadAis, ReadAisFiles } from '../../media/ingest/ais-files.ts';
import { receptionOf, STAMP_BYTES } from '../../recorder-wire/ais-files.ts';
import { utcOfPts } from '../../telemetry/timebase.ts';
import { aisBatches, type Batch } from './batch.ts';
import { writeBatch } from './write.ts';

/** Maximum number of rows written in one statement. */
const ROWS = 20_000;
const LF = 0x0a;
const CR = 0x0d;
const UNDATED =
  'Its sentences carry no time, and no base station among them gives one. No ship is shown until the times are set: Edit, Sensors, Set times.';
const UNSHOWN = 'No ship is shown until the times are set: Edit, Sensors, Set times.';

type Deps = { db: Kysely<Database>; storage: Storage; nowUs: () => number };

/**
 * Converts uploaded AIS files to rows. Sentences recorded by this server were converted while they were received, and
 * are not read again.
 */
export function aisImport({ db, storage, nowUs }: Deps): ReadAisFiles {
  return async ({ missionId, sensorId, files, streams, adds = false, signal, progress }) => {
    const sensor = await sensorById(db, 'ingest', sensorId);
    if (sensor === undefined) throw new Error(`Sensor ${sensorId} is gone`);
    const existing = await sourceOf(sensor.live_sensor_id ?? sensorId, missionId);
    if (sensor.live_sensor_id !== null && existing !== undefined) return recordedSpans(existing);

    if (files.length === 0 && streams.length === 0) {
      if (existing !== undefined) await db.deleteFrom('ais_sources').where('id', '=', existing).execute();
      return { files: [] };
    }
    const requested = { sensorId: sensor.live_sensor_id ?? sensorId, missionId, name: sensor.name };
    const sourceId = adds && existing !== undefined ? existing : await makeSource(requested);
    const read: ReadAis = { files: [] };
    for (const stream of streams) await readStream(stream);
    for (const [index, file] of files.entries()) {
      const batches = aisBatches(new Map(), file.times);
      let span: { startUs: number; endUs: number } | null = null;
      const flush = async (more = false) => {
        const batch = batches.take({ more });
        span = wider(span, batch);
        await write(batch);
      };
      await eachLine(storage, file.key, signal, async (line) => {
        const receivedUs = receptionOf(line);
        batches.line(receivedUs === null ? line : line.subarray(STAMP_BYTES), receivedUs);
        if (batches.size() >= ROWS) await flush(true);
      });
      await flush();
      progress((100 * (index + 1)) / files.length);
      const dated = batches.dated();
      const remarks = batches.remarks();
      const isUndated = span === null && dated.none > 0;
      const allRemarks = isUndated ? [...remarks, remarks.length === 0 ? UNDATED : UNSHOWN] : remarks;
      const message = allRemarks.length === 0 ? null : `${file.name}: ${allRemarks.join(' ')}`;
      read.files.push({ id: file.id, span, message, dated });
    }
    return read;

    async function readStream({ key, timebase }: (typeof streams)[number]): Promise<void> {
      const batches = aisBatches(new Map());
      const source = await storage.open(key);
      try {
        await readAisLines(source, {
          signal,
          async take(lines) {
            for (const { line, at } of lines) {
              const receivedUs = Math.round(utcOfPts(timebase, at.run, at.ticks));
              if (!Number.isNaN(receivedUs)) batches.line(Buffer.from(line), receivedUs);
            }
            if (batches.size() >= ROWS) await write(batches.take());
          },
        });
        await write(batches.take());
      } finally {
        await source.close();
      }
    }

    async function write(batch: Batch): Promise<void> {
      const made = new Set<number>();
      await db
        .transaction()
        .execute((tx) => writeBatch(tx, { sourceId, isMission: true, batch, made, nowUs: nowUs() }));
    }

    async function recordedSpans(id: number): Promise<ReadAis> {
      const { rows } = await sql<{ first: number | null; last: number | null; count: number }>`
        select min(block_first) as first, max(block_last) as last, count(*) from ais_recorded
        where source_id = ${id}`.execute(db);
      const { first = null, last = null, count = 0 } = rows[0] ?? {};
      const span = first === null || last === null ? null : { startUs: first, endUs: last };
      const dated = { tagBlock: 0, line: 0, baseStation: 0, hand: 0, reception: count, none: 0 };
      return { files: files.map(({ id: fileId }) => ({ id: fileId, span, message: null, dated })) };
    }
  };

  async function sourceOf(sensorId: string, missionId: string): Promise<number | undefined> {
    const row = await db
      .selectFrom('ais_sources')
      .where('sensor_id', '=', sensorId)
      .where('mission_id', '=', missionId)
      .select('id')
      .executeTakeFirst();
    return row?.id;
  }

  /**
   * Creates the source of a sensor. Rows from an earlier reading of the sensor are removed, so that its files can be
   * read again.
   */
  async function makeSource(source: { sensorId: string; missionId: string; name: string }): Promise<number> {
    const { sensorId, missionId, name } = source;
    return db.transaction().execute(async (tx) => {
      await tx
        .deleteFrom('ais_sources')
        .where('sensor_id', '=', sensorId)
        .where('mission_id', '=', missionId)
        .execute();
      const { id } = await tx
        .insertInto('ais_sources')
        .values({ sensor_id: sensorId, name, platform_id: null, mission_id: missionId, created: nowUs() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    });
  }
}

function wider(span: { startUs: number; endUs: number } | null, { positions }: Batch) {
  let wide = span;
  for (const { time } of positions) {
    wide = { startUs: Math.min(wide?.startUs ?? time, time), endUs: Math.max(wide?.endUs ?? time, time) };
  }
  return wide;
}

/**
 * Splits a file, compressed or not, into lines without their ends, which are LF, CR or both; memory does not grow with
 * the file. A line that is too long is passed on up to its first bytes beyond the limit, so that the reader counts it.
 */
async function eachLine(
  storage: Storage,
  key: string,
  signal: AbortSignal,
  take: (line: Buffer) => Promise<void>,
): Promise<void> {
  const raw = storage.read(key);
  let rest = Buffer.alloc(0);
  /** Whether the rest of a line that is too long is being skipped. */
  let skipping = false;
  const packed = isGzip(await headOf(storage, key));
  const bytes = packed ? raw.pipe(createGunzip()) : raw;
  if (packed) raw.once('error', (error) => bytes.destroy(error));
  const takeLine = async (line: Buffer) => {
    if (!skipping && line.length > 0) await take(line.subarray(0, AIS_LINE_BYTES_MAX + 1));
    skipping = false;
  };
  try {
    for await (const part of bytes as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      const all = rest.length === 0 ? part : Buffer.concat([rest, part]);
      let start = 0;
      for (let end = endOf(all, start); end >= 0; end = endOf(all, start)) {
        await takeLine(all.subarray(start, end));
        start = end + 1;
      }
      rest = Buffer.from(all.subarray(start));
      if (rest.length <= AIS_LINE_BYTES_MAX) continue;
      await takeLine(rest);
      skipping = true;
      rest = Buffer.alloc(0);
    }
    await takeLine(rest);
  } finally {
    raw.destroy();
  }
}

/** Returns the end of the line that begins at `start`; -1 if these bytes do not contain it. */
function endOf(bytes: Buffer, start: number): number {
  const lf = bytes.indexOf(LF, start);
  // A CR is searched for only before the LF: few files have both, and each line would search far ahead again.
  const cr = bytes.subarray(start, lf < 0 ? bytes.length : lf).indexOf(CR);
  return cr < 0 ? lf : start + cr;
}

async function headOf(storage: Storage, key: string): Promise<Uint8Array> {
  const file = await storage.open(key);
  try {
    const head = new Uint8Array(2);
    await file.read(head, 0);
    return head;
  } finally {
    await file.close();
  }
}
