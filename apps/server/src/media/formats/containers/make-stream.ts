import { Readable } from 'node:stream';
import { insertMetadata } from '@osprey/mpegts';
import { CONTAINER_START_SECONDS, type Ffmpeg } from '../../../base/ffmpeg/ffmpeg.ts';
import type { Storage, StoredFile } from '../../../base/storage/storage.ts';
import { matroskaFrames } from '../matroska/blocks.ts';
import { inOrder } from '../mp4/in-order.ts';
import { klvStreams, metadataUnits } from './metadata.ts';
import type { ContainerSurvey } from './survey.ts';

/** PIDs of KLV, after those that ffmpeg gives to pictures and sound. */
const FIRST_KLV_PID = 0x180;

export type MakingStream = {
  storage: Pick<Storage, 'read'>;
  ffmpeg: Pick<Ffmpeg, 'transcode'>;
  /** The original, opened. */
  source: StoredFile;
  key: string;
  survey: ContainerSurvey;
  signal: AbortSignal;
  /** Percent of the whole. */
  progress: (percent: number) => void;
};

/**
 * A recording in a container as a transport stream: pictures and sound as they are where a transport stream can hold
 * them, KLV between them. Its clock says `CONTAINER_START_SECONDS` at the beginning of the presentation.
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
 * As a decoder can read it from a pipe. Fragments come in an order that can be read, and so does Matroska. A sample that
 * is cut off is left out: the copying of all others would end with it.
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
