import { SHEET_US } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type GrowingStill, putGrowingStills, STILL_STEP_US } from '../../media/index/growing-stills.ts';
import type { RecordedFile } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from './mirror.ts';

/** Interval of looks at the running recordings, in milliseconds. */
const EVERY_MS = 15_000;

export type GrowingPicturesDeps = {
  db: Kysely<Database>;
  storage: Storage;
  mirror: Pick<RecorderMirror, 'running' | 'segments'>;
  queue: Pick<JobQueue, 'enqueue'>;
  /** Returns whether the rows of a recorded mission exist. */
  isWritten: (missionId: string) => boolean;
  log: { warn: (fields: object, text: string) => void };
};

/**
 * Orders the pictures of running recordings, those of ten minutes at a time: lists the key frames of the complete
 * windows of ten minutes for the job, which decodes them and joins them into a sheet.
 */
export function growingPictures({ db, storage, mirror, queue, isWritten, log }: GrowingPicturesDeps) {
  /** Number of windows that were ordered, by sensor. */
  const ordered = new Map<string, number>();
  let working: Promise<void> | null = null;
  const timer = setInterval(() => {
    working ??= look().finally(() => {
      working = null;
    });
  }, EVERY_MS);
  timer.unref();

  async function look(): Promise<void> {
    const running = mirror.running().filter(({ missionId }) => isWritten(missionId));
    const sensors = running.flatMap(({ missionId, sensors }) => sensors.map((sensor) => ({ missionId, ...sensor })));
    const ids = new Set(sensors.map(({ sensorId }) => sensorId));
    for (const id of ordered.keys()) if (!ids.has(id)) ordered.delete(id);
    for (const { missionId, sensorId, type, files } of sensors) {
      if (type !== 'video') continue;
      const { stills, windows } = completeWindows(stillsOf(files));
      if (windows <= (ordered.get(sensorId) ?? 0)) continue;
      try {
        await putGrowingStills(storage, { missionId, sensorId }, stills);
        await queue.enqueue(db, 'thumbnails', { missionId, sensorId });
        ordered.set(sensorId, windows);
      } catch (error) {
        log.warn({ error, sensor: sensorId }, 'pictures of a running recording were not ordered');
      }
    }
  }

  function stillsOf(files: readonly RecordedFile[]): GrowingStill[] {
    const stills: GrowingStill[] = [];
    for (const { fileId } of files) {
      for (const segment of mirror.segments(fileId)) {
        // Segments may arrive out of order, so there may be holes.
        if (segment === undefined) continue;
        const last = stills.at(-1);
        if (last && segment.startUs - last.timeUs < STILL_STEP_US) continue;
        stills.push({ fileId, timeUs: segment.startUs, offset: segment.offset, sizeBytes: segment.sizeBytes });
      }
    }
    return stills;
  }

  return {
    look,
    async close(): Promise<void> {
      clearInterval(timer);
      await working;
    },
  };
}

/** Returns the key frames of the windows of ten minutes that are complete, and the number of these windows. */
function completeWindows(stills: readonly GrowingStill[]): { stills: GrowingStill[]; windows: number } {
  const [first, last] = [stills[0], stills.at(-1)];
  if (!first || !last) return { stills: [], windows: 0 };
  const windows = Math.floor((last.timeUs - first.timeUs) / SHEET_US);
  return { stills: stills.filter(({ timeUs }) => timeUs < first.timeUs + windows * SHEET_US), windows };
}
