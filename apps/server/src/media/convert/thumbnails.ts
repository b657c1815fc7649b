import { createSegmentCutter } from '@osprey/mpegts';
import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { DecoderError, type Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import { defineJob, type JobContext, type JobDefinition } from '../../base/jobs/definition.ts';
import { streamKeyOf } from '../../base/storage/originals.ts';
import { spaceLevel } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { utcOfPts } from '../../telemetry/timebase.ts';
import { getJson, programOfRun, putJson, readFileIndex, type StoredSegments } from '../index/file-index.ts';
import { growingKey, growingStills, MAX_PICTURE_BYTES, STILL_STEP_US, type Still } from '../index/growing-stills.ts';
import {
  GROWING,
  pictureKey,
  pictureListKey,
  pictureName,
  readPictureList,
  removePictures,
} from '../index/picture-files.ts';
import type { SensorIndex } from '../index/sensor-index.ts';
import { tidily } from '../ingest/removed-file.ts';
import { noteSheets } from './sheet-keeping.ts';
import type { SheetsToMake } from './sheets.ts';

const POSTER_WIDTH = 320;
const STRIP_WIDTH = 180;
/** Number of pictures after which the list is written, so that the timeline shows them while more are being made. */
const LIST_STEP = 10;
/** Number of pictures after which the windows that are complete get their sheets. */
const SHEETS_STEP = 60;
/** Number of damaged key frames in a row after which no more pictures of a recording are made. */
const MAX_FAILURES = 20;
/**
 * Maximum time spent on damaged key frames, in milliseconds: together with the poster of the sensor, a decoder that
 * hangs is given up within 90 s.
 */
const MAX_LOST_MS = 50_000;

export type ThumbnailDeps = {
  db: Kysely<Database>;
  storage: Storage;
  ffmpeg: Pick<Ffmpeg, 'available' | 'pictureAt'>;
  /** Joins the pictures made so far into sheets. Returns the storage keys in use. */
  sheets: (order: SheetsToMake) => Promise<string[]>;
  changed: (noun: 'missions', ids: string[]) => void;
  log: { warn: (fields: object, text: string) => void };
};

type Written = { indexKey: string; pictures: { n: number; timeUs: number }[] };

/**
 * Makes the pictures of a sensor: a poster, a strip with at most one picture every 10 s, and the sheets that join them.
 * A failure only means that a picture is missing. Of a recording that is running it makes those of whole windows.
 */
export function thumbnailsJob(deps: ThumbnailDeps): JobDefinition {
  return defineJob('thumbnails', (context) => tidily({ ...deps, ...context }, () => makePictures(deps, context)), {
    ended: async () => {},
  });
}

async function makePictures(deps: ThumbnailDeps, context: JobContext): Promise<void> {
  const { db, storage, ffmpeg } = deps;
  const { missionId, sensorId } = context;
  const row = await asSystem(db, 'media')
    .selectFrom('sensors')
    .select(['index_key', 'thumbnail'])
    .where('id', '=', sensorId)
    .executeTakeFirst();
  const indexKey = row?.index_key ?? null;
  const growing = indexKey === null ? await growingStills(storage, { missionId, sensorId }) : null;
  if (row === undefined || (indexKey === null && growing === null))
    return removePictures(storage, { missionId, sensorId });
  if (!ffmpeg.available() || isFull(await storage.space())) return;
  const stills = indexKey === null ? (growing ?? []) : await stillsOf(deps, sensorId, indexKey);
  const list = await startedList(storage, { missionId, sensorId, indexKey: indexKey ?? GROWING });
  const poster = stills[stills.length >> 1];
  const lacksPoster = indexKey !== null && (row.thumbnail === null || list.pictures.length === 0);
  if (poster && lacksPoster) await makePoster(deps, context, poster);

  const sheets = (isAll: boolean) => deps.sheets({ missionId, sensorId, list, isAll, signal: context.signal });
  const listKey = pictureListKey(missionId, sensorId);
  let failures = 0;
  let lostMs = 0;
  for (const [n, still] of stills.entries()) {
    context.signal.throwIfAborted();
    context.progress((100 * n) / stills.length);
    if (list.pictures.some((one) => one.n === n)) continue;
    if (failures === MAX_FAILURES || lostMs >= MAX_LOST_MS || isFull(await storage.space())) break;
    const begun = performance.now();
    const made = await makePicture(deps, still, {
      key: pictureKey(missionId, pictureName(sensorId, n)),
      width: STRIP_WIDTH,
    });
    failures = made ? 0 : failures + 1;
    lostMs = made ? 0 : lostMs + performance.now() - begun;
    if (made) list.pictures.push({ n, timeUs: still.timeUs });
    if (list.pictures.length % LIST_STEP === 0) await putJson(storage, listKey, list);
    if (made && list.pictures.length % SHEETS_STEP === 0) await sheets(false);
  }
  await putJson(storage, listKey, list);
  const shown = [null, ...list.pictures.map(({ n }) => n)].map((n) => pictureKey(missionId, pictureName(sensorId, n)));
  const ofRunning = growing === null ? [] : [growingKey(missionId, sensorId)];
  const kept = [listKey, ...ofRunning, ...shown, ...(await sheets(true))];
  await removePictures(storage, { missionId, sensorId, kept });
  if (indexKey !== null) await noteSheets(deps.db, sensorId, indexKey);
}

const isFull = (space: { freeBytes: number; totalBytes: number }): boolean =>
  ['noExports', 'noRecording'].includes(spaceLevel(space));

/** Returns the list of an interrupted attempt; if it belongs to an older index, all pictures are made again. */
async function startedList(
  storage: Storage,
  { missionId, sensorId, indexKey }: { missionId: string; sensorId: string; indexKey: string },
): Promise<Written> {
  const existing = await readPictureList(storage, missionId, sensorId);
  return { indexKey, pictures: existing.indexKey === indexKey ? existing.pictures : [] };
}

/** Returns key frames at least 10 s apart, over all files in order. */
async function stillsOf(deps: ThumbnailDeps, sensorId: string, indexKey: string): Promise<Still[]> {
  const { files } = await getJson<SensorIndex>(deps.storage, indexKey);
  const stills: Still[] = [];
  for (const { fileId, timebase, window } of files) {
    const file = await readFileIndex(deps.storage, sensorId, fileId);
    if (!file?.segmentsKey) continue;
    const row = await asSystem(deps.db, 'media')
      .selectFrom('files')
      .select(['id', 'sensor_id', 'kind', 'storage_key'])
      .where('id', '=', fileId)
      .executeTakeFirst();
    if (!row) continue;
    const { keyframes } = await getJson<StoredSegments>(deps.storage, file.segmentsKey);
    for (const [index, [offset, ptsTicks, run]] of keyframes.entries()) {
      const timeUs = Math.round(utcOfPts(timebase, run, ptsTicks));
      const last = stills[stills.length - 1];
      if (!(timeUs >= window[0] && timeUs <= window[1]) || (last && timeUs - last.timeUs < STILL_STEP_US)) continue;
      const next = keyframes[index + 1]?.[0] ?? file.sizeBytes;
      const program = programOfRun(file, run);
      stills.push({
        timeUs,
        stream: file.packeting && program && { packeting: file.packeting, program },
        originalKey: streamKeyOf(row),
        start: offset,
        end: Math.min(next, offset + MAX_PICTURE_BYTES),
      });
    }
  }
  return stills;
}

async function makePoster(deps: ThumbnailDeps, { missionId, sensorId }: JobContext, still: Still): Promise<void> {
  const name = pictureName(sensorId, null);
  if (!(await makePicture(deps, still, { key: pictureKey(missionId, name), width: POSTER_WIDTH }))) return;
  await deps.db.transaction().execute(async (tx) => {
    await asSystem(tx, 'media').updateTable('sensors').set({ thumbnail: name }).where('id', '=', sensorId).execute();
    await asSystem(tx, 'media')
      .updateTable('missions')
      .set((eb) => ({ thumbnail: eb.fn.coalesce('thumbnail', eb.val(name)) }))
      .where('id', '=', missionId)
      .execute();
  });
  deps.changed('missions', [missionId]);
}

/** Returns false if the decoder could not decode the picture. */
async function makePicture(deps: ThumbnailDeps, still: Still, { key, width }: { key: string; width: number }) {
  try {
    const picture = await deps.ffmpeg.pictureAt({ bytes: await cleanBytes(deps.storage, still), width, type: 'jpeg' });
    await deps.storage.put(key, [picture]);
    return true;
  } catch (error) {
    if (!(error instanceof DecoderError)) throw error;
    deps.log.warn({ key, detail: error.detail }, 'no picture');
    return false;
  }
}

/** Returns the packets of the key frame's program, with PAT and PMT first, for any packet layout of the original. */
async function cleanBytes(storage: Storage, { stream, originalKey, start, end }: Still): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array();
  const cutter = createSegmentCutter(stream);
  const parts: Buffer[] = [];
  for await (const bytes of storage.read(originalKey, { start, end })) parts.push(Buffer.from(cutter.push(bytes)));
  parts.push(Buffer.from(cutter.end()));
  return Buffer.concat(parts);
}
