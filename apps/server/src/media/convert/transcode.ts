import { AppError, type MissionUpdate } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { DecoderError, type Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import { defineJob, type JobContext, type JobDefinition } from '../../base/jobs/definition.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';
import { renditionKey, streamKeyOf } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { FileFailed } from '../../base/ws/outgoing.ts';
import { indexFile } from '../index/build-file-index.ts';
import { conversionOf } from '../index/conversion.ts';
import { readFileIndex } from '../index/file-index.ts';
import { filesAtWork, notifyUploader } from '../ingest/failed-file.ts';
import { throttled, updateOf } from '../ingest/flow.ts';
import { subjectOf } from '../ingest/ingest.ts';
import { endWithoutRendition } from '../ingest/mission-state.ts';
import { renditionId } from '../ingest/read-recording.ts';
import { tidily } from '../ingest/removed-file.ts';
import { hasSound, type RenditionOptions, renditionOf } from './rendition.ts';

export type TranscodeDeps = {
  db: Kysely<Database>;
  storage: Storage;
  queue: Pick<JobQueue, 'enqueue'>;
  ffmpeg: Pick<Ffmpeg, 'available' | 'transcode'>;
  flow: (update: MissionUpdate) => void;
  fileFailed: FileFailed;
  changed: (noun: 'missions', ids: string[]) => void;
  log: { warn: (fields: object, text: string) => void };
  nowUs: () => number;
};

/**
 * Makes a rendition of a file that browsers cannot play: H.264 8-bit 4:2:0 progressive with AAC, with the times of the
 * original. Telemetry is still read from the original. Ingest then uses the rendition for playback.
 */
export function transcodeJob(deps: TranscodeDeps): JobDefinition {
  return defineJob('transcode', (context) => cleanUp(deps, context), {
    ended: async ({ missionId, sensorId, fileId, sentence, outcome }) => {
      await endWithoutRendition(deps.db, { sensorId, fileId, sentence });
      const subject = await subjectOf(deps.db, missionId, sensorId);
      if (subject) {
        deps.flow(updateOf(subject, { type: 'error', text: sentence }));
        const files = outcome === 'failed' && fileId !== null ? await filesAtWork(deps.db, sensorId, fileId) : [];
        for (const file of files) notifyUploader(deps.fileFailed, { file, mission: subject, sentence, left: 'kept' });
      }
      deps.changed('missions', [missionId]);
    },
  });
}

async function cleanUp(deps: TranscodeDeps, context: JobContext): Promise<void> {
  const { fileId } = context;
  if (fileId === null) return;
  await tidily({ ...deps, ...context, fileIds: [fileId] }, () => transcode(deps, { ...context, fileId }));
}

async function transcode(deps: TranscodeDeps, context: JobContext & { fileId: string }): Promise<void> {
  const { db, storage } = deps;
  const { missionId, sensorId, fileId } = context;
  const row = await asSystem(db, 'media').selectFrom('files').selectAll().where('id', '=', fileId).executeTakeFirst();
  const index = await readFileIndex(storage, sensorId, fileId);
  const subject = await subjectOf(db, missionId, sensorId);
  if (!row || !index || !subject) return;
  // The job was queued again by an ingest that ran during an earlier conversion of the same file.
  if (row.rendition_key !== null && (await isMade(storage, row.rendition_key, { sensorId, fileId }))) return;
  const key = renditionKey(sensorId, fileId);
  deps.flow(updateOf(subject, { type: 'hlsProcessing', progress: 0 }));
  const notify = throttled((progress) => deps.flow(updateOf(subject, { type: 'hlsProcessing', progress })));
  const converting = {
    index,
    originalKey: streamKeyOf(row),
    signal: context.signal,
    progress: (percent: number) => {
      context.progress(percent);
      notify(percent);
    },
  };
  try {
    await convert(deps, key, converting);
  } catch (error) {
    if (!(error instanceof DecoderError)) throw error;
    deps.log.warn({ fileId, detail: error.detail }, 'conversion failed');
    throw notConverted(error.message.replace(/\.$/, ''), error);
  }
  await indexFile({
    storage,
    sensorId,
    file: { id: renditionId(fileId), key },
    nowUs: deps.nowUs(),
    signal: context.signal,
    onMark: async () => {},
    onProgress: () => {},
  });
  await db.transaction().execute(async (tx) => {
    await asSystem(tx, 'media').updateTable('files').set({ rendition_key: key }).where('id', '=', fileId).execute();
    await deps.queue.enqueue(tx, 'ingest', { missionId, sensorId });
  });
  deps.flow(updateOf(subject, { type: 'hlsProcessingComplete', progress: 100 }));
}

async function isMade(storage: Storage, key: string, { sensorId, fileId }: { sensorId: string; fileId: string }) {
  const isThere = (await storage.stat(key)) !== null;
  return isThere && (await readFileIndex(storage, sensorId, renditionId(fileId))) !== null;
}

/** Error of a failed conversion. The recording itself and its telemetry are not affected. */
const notConverted = (reason: string, cause?: unknown) => new AppError('notConverted', { reason }, cause);

type Converting = Omit<RenditionOptions, 'sound' | 'ffmpeg' | 'storage'>;

async function convert(deps: TranscodeDeps, key: string, converting: Converting): Promise<void> {
  const { storage, ffmpeg } = deps;
  const made = (sound: RenditionOptions['sound']) => renditionOf({ ...converting, storage, ffmpeg, sound });
  const conversion = conversionOf(converting.index);
  if (!ffmpeg.available()) {
    // Without ffmpeg, pictures that browsers can play are shown without sound.
    if (conversion === 'all')
      throw notConverted('ffmpeg is missing on the server, so the pictures cannot be converted');
    await storage.put(key, made('none'));
    return;
  }
  // If the sound breaks the conversion, it is left out, since the pictures matter more.
  await storage.put(key, made('converted')).catch((error) => {
    if (!(error instanceof DecoderError) || (conversion === 'all' && !hasSound(converting.index))) throw error;
    return storage.put(key, made('none'));
  });
}
