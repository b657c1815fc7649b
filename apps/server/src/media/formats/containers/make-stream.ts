import { Readable } from 'node:stream';
import { insertMetadata } from '@osprey/mpegts';
import { CONTAINER_START_SECONDS, type Ffmpeg } from '../../../base/ffmpeg/ffmpeg.ts';
import type { Storage, StoredFile } from '../../../base/storage/storage.ts';
import { matroskaFrames } from '../matroska/blocks.ts';
import { inOrder } from '../mp4/in-order.ts';
import { klvStreams, metadataUnits } from './metadata.ts';
import type { ContainerSurvey } from './survey.ts';

/** First PID of KLV streams, above those that ffmpeg assigns to video and audio. */
const FIRST_KLV_PID = 0x180;

export type MakingStream = {
  storage: Pick<Storage, 'read'>;
  ffmpeg: Pick<Ffmpeg, 'transcode'>;
  /** The opened original. */
  source: StoredFile;
  key: string;
  survey: ContainerSurvey;
  signal: AbortSignal;
  /** Receives the progress in per cent. */
  progress: (percent: number) => void;
};

/**
 * Converts a recording in a container to a transport stream: video and audio are copied if a transport stream can
 * contain them, and KLV is inserted between them. The clock of the stream is at `CONTAINER_START_SECONDS` at the
 * beginning of the presentation.
 *
 * @throws DecoderError
 */
export async function* streamOf(making: MakingStream): AsyncGenerator<Uint8Array> {
  const { source, survey } = making;
  const { mp4, durationSeconds, video, sound } = survey;
  const stream = making.ffmpeg.transcode({
    source: Readable.from(bytesOf(making), { objectMode: false }),
    sourceBytes: source.sizeBytes,
    durationSeconds,
    format: mp4 ? 'mov' : 'matroska',
    video: video.way,
    rotation: video.rotation,
    audio: sound,
    signal: making.signal,
    progress: making.progress,
  });
  const { mkv } = survey;
  const streams = mp4
    ? await klvStreams(source, mp4.file, mp4.metadata)
    : (mkv?.klv ?? []).map((track) => matroskaFrames(source, { tracks: new Set([track]), tickNs: mkv!.tickNs }));
  if (streams.length === 0) {
    yield* stream;
    return;
  }
  const units = metadataUnits(source, streams, CONTAINER_START_SECONDS);
  yield* insertMetadata(
    stream,
    units,
    streams.map((_, n) => FIRST_KLV_PID + n),
  );
}

/**
 * Yields the bytes in an order that a decoder can read from a pipe. Fragmented MP4 and Matroska already have such an
 * order. A truncated sample is left out, since it would end the copying of all tracks.
 */
function bytesOf({ storage, key, survey: { mp4 } }: MakingStream): AsyncIterable<Uint8Array> {
  const end = mp4?.until ?? Number.MAX_SAFE_INTEGER;
  if (mp4 === null || mp4.file.movie.isFragmented) {
    return storage.read(key, mp4?.until ? { start: 0, end } : undefined) as AsyncIterable<Uint8Array>;
  }
  const { moov, head } = mp4.file;
  const data = mp4.file.data.filter(({ body }) => body < end).map((box) => ({ ...box, end: Math.min(box.end, end) }));
  return inOrder(storage, key, { moov, head, data, tracks: mp4.tracks });
}
