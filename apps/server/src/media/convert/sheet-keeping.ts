import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import { removeStarting } from '../../base/storage/remove-starting.ts';
import { spaceLevel } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { pictureKey, readPictureList } from '../index/picture-files.ts';
import { tidily } from '../ingest/removed-file.ts';
import { makeSheets } from './sheets.ts';

/** After each recording, the pause is this multiple of the working time. */
const REST = 3;

type Deps = {
  db: Kysely<Database>;
  storage: Storage;
  ffmpeg: Pick<Ffmpeg, 'available' | 'sheetOf'>;
  nowMs: () => number;
  log: { info: (fields: object, text: string) => void; warn: (fields: object, text: string) => void };
};

/** Notes that the sheets of a sensor were made for this index. */
export async function noteSheets(db: Db, sensorId: string, indexKey: string): Promise<void> {
  await asSystem(db, 'media')
    .updateTable('sensors')
    .set({ sheets_of: indexKey })
    .where('id', '=', sensorId)
    .where('index_key', '=', indexKey)
    .execute();
}

/**
 * Joins the pictures of older recordings into sheets in the background, the newest recording first. Recordings whose
 * pictures are being made are left to that job.
 */
export function sheetKeeping({ db, storage, ffmpeg, nowMs, log }: Deps) {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function look(): Promise<void> {
    // Recordings that failed in this run; they are tried again in the next one.
    const failed: string[] = [];
    for (let made = 0; !signal.aborted; made += 1) {
      if (!ffmpeg.available() || ['noExports', 'noRecording'].includes(spaceLevel(await storage.space()))) return;
      const next = await nextSensor(db, failed);
      if (next === null) {
        if (made > 0) log.info({ sensors: made }, 'pictures of recordings were joined into sheets');
        return;
      }
      const startedMs = nowMs();
      const subject = { missionId: next.mission_id, sensorId: next.id };
      try {
        await tidily({ db, storage, ...subject }, () => join(next));
      } catch (error) {
        failed.push(next.id);
        if (!signal.aborted) log.warn({ error, sensor: next.id }, 'pictures could not be joined into sheets');
      }
      await wait(REST * (nowMs() - startedMs), undefined, { signal }).catch(() => undefined);
    }
  }

  async function join({ id: sensorId, mission_id: missionId, index_key: indexKey }: Next): Promise<void> {
    const list = await readPictureList(storage, missionId, sensorId);
    // Pictures of an older index have other times. The job that makes those of this one makes its sheets too.
    if (list.indexKey === indexKey) {
      const { pictures } = list;
      const kept = await makeSheets(
        { storage, ffmpeg, log },
        { missionId, sensorId, list: { indexKey, pictures }, isAll: true, signal },
      );
      await removeStarting(storage, pictureKey(missionId, `${sensorId}-sheet-`), kept);
    }
    await noteSheets(db, sensorId, indexKey);
  }

  return { look, stop: () => stopping.abort() };
}

type Next = { id: string; mission_id: string; index_key: string };

async function nextSensor(db: Kysely<Database>, without: readonly string[]): Promise<Next | null> {
  const row = await asSystem(db, 'media')
    .selectFrom('sensors')
    .innerJoin('missions', 'missions.id', 'sensors.mission_id')
    .select(['sensors.id', 'sensors.mission_id', 'sensors.index_key'])
    .where('sensors.index_key', 'is not', null)
    .where(sql<boolean>`sensors.sheets_of is distinct from sensors.index_key`)
    .where('missions.deleted_time', 'is', null)
    .where(sql<boolean>`sensors.id <> all (${[...without]}::uuid[])`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.sensor_id', '=', 'sensors.id')
            .where('jobs.kind', 'in', ['ingest', 'thumbnails'])
            .where('jobs.state', 'in', ['waiting', 'running']),
        ),
      ),
    )
    .orderBy('missions.start_time', (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst();
  return row?.index_key ? { ...row, index_key: row.index_key } : null;
}
