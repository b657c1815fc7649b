import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { streamKeyOf } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { readFileIndex } from '../index/file-index.ts';
import { readMarkSpans, storeMarkSpans } from '../index/mark-spans.ts';
import { readStream } from '../index/stream-pass.ts';
import type { FileRow } from './ingest-deps.ts';

/** After each file, the pause is this multiple of the working time, so that at most a quarter of a processor is used. */
const REST = 3;
const BATCH = 100;

type Deps = {
  db: Kysely<Database>;
  storage: Storage;
  nowUs: () => number;
  nowMs: () => number;
  log: { info: (fields: object, text: string) => void; warn: (fields: object, text: string) => void };
};

/**
 * Finds in the background where older recordings state their security mark, which ingest now does: clips of them need
 * not be read for it any more. Finished files are kept if the server stops meanwhile.
 */
export function markKeeping({ db, storage, nowUs, nowMs, log }: Deps) {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function look(): Promise<void> {
    let made = 0;
    for await (const row of markedFiles(db)) {
      if (signal.aborted) break;
      const startedMs = nowMs();
      try {
        if (!(await isMissing(row))) continue;
        await make(row);
        made += 1;
      } catch (error) {
        if (signal.aborted) break;
        log.warn({ error, file: row.id }, 'the security marks of a recording could not be found');
      }
      await wait(REST * (nowMs() - startedMs), undefined, { signal }).catch(() => undefined);
    }
    if (made > 0) log.info({ files: made }, 'the security marks of recordings were found');
  }

  async function isMissing({ sensor_id, id }: FileRow): Promise<boolean> {
    if ((await readMarkSpans(storage, sensor_id, id)) !== null) return false;
    const index = await readFileIndex(storage, sensor_id, id);
    return index !== null && index.klv.mark !== null;
  }

  async function make(row: FileRow): Promise<void> {
    const source = await storage.open(streamKeyOf(row));
    try {
      const { markSpans } = await readStream({
        ...{ source, signal, nowUs: nowUs(), writeIndex: async () => undefined },
        videoPid: row.reading?.videoPid ?? null,
      });
      await storeMarkSpans(storage, { sensorId: row.sensor_id, fileId: row.id }, markSpans);
    } finally {
      await source.close();
    }
  }

  return { look, stop: () => stopping.abort() };
}

/** Yields the recordings of missions in which a security mark was found. */
async function* markedFiles(db: Kysely<Database>): AsyncGenerator<FileRow> {
  let after: string | null = null;
  for (;;) {
    let query = asSystem(db, 'ingest')
      .selectFrom('files')
      .innerJoin('sensors', 'sensors.id', 'files.sensor_id')
      .innerJoin('missions', 'missions.id', 'sensors.mission_id')
      .selectAll('files')
      .where('missions.stream_mark', 'is not', null)
      .where('missions.deleted_time', 'is', null)
      .where('files.kind', 'in', ['ts', 'mp4', 'mkv'])
      .where('files.state', '=', 'ready')
      .orderBy('files.id')
      .limit(BATCH);
    if (after !== null) query = query.where('files.id', '>', after);
    const rows: FileRow[] = await query.execute();
    yield* rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)!.id;
  }
}
