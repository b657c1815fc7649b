import { Readable } from 'node:stream';
import { AppError } from '@osprey/contract';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { CONTAINER_START_SECONDS, DecoderError, type Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import { streamKey } from '../../base/storage/originals.ts';
import { uploadReserve } from '../../base/storage/space-rule.ts';
import type { Storage, StoredFile } from '../../base/storage/storage.ts';
import { gpmfRows, gpmfStartUs, subtitleText } from '../formats/containers/embedded.ts';
import { streamOf } from '../formats/containers/make-stream.ts';
import { type ContainerKind, type ContainerSurvey, surveyContainer } from '../formats/containers/survey.ts';
import { sidecarFormat } from '../formats/sidecars/detect.ts';
import type { SidecarRow } from '../formats/sidecars/row.ts';
import { readSidecar, type Sidecar } from '../formats/sidecars/sidecar.ts';
import { type FileIndex, fileIndexKey, INDEX_VERSION, putJson, readFileIndex } from '../index/file-index.ts';
import { indexRows, type SidecarIndex } from './sidecar-index.ts';

/** Facts about a recording in a container, in addition to the index of its stream. */
export type ContainerFacts = {
  version: typeof INDEX_VERSION;
  /** UTC microseconds at the beginning of the presentation, and their source. */
  startUs: number | null;
  startFrom: 'container' | 'gps';
  /** True if the container says the zone of that time; absent in facts from before this was kept. */
  isZoned?: boolean;
  notes: string[];
  /** True if the video was encoded again for the transport stream; absent in older facts. */
  encoded?: boolean;
  /** Kind of telemetry other than KLV that was found; `null` if not searched for yet. */
  embedded: 'gpmf' | 'subtitles' | null;
};

type ContainerRow = { id: string; sensor_id: string; kind: ContainerKind; name: string; storage_key: string };

export type ContainerDeps = {
  storage: Storage;
  ffmpeg: Pick<Ffmpeg, 'available' | 'transcode' | 'subtitles'>;
  reserveBytes: number | null;
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

const factsId = (fileId: string): string => `${fileId}-container`;
const EMBEDDED = '-embedded';
/** Id of the index of telemetry embedded in a recording, which is stored next to that of its stream. */
export const embeddedId = (fileId: string): string => `${fileId}${EMBEDDED}`;
/** Id of the file to which a telemetry index belongs. */
export const fileOfIndex = (indexId: string): string => indexId.replace(new RegExp(`${EMBEDDED}$`), '');

/** Reads the facts stored when the stream of a recording was made. */
export const storedFacts = (
  storage: Pick<Storage, 'read' | 'stat'>,
  row: { id: string; sensor_id: string },
): Promise<ContainerFacts | null> => readFileIndex<ContainerFacts>(storage, row.sensor_id, factsId(row.id));

type Opened = { deps: ContainerDeps; row: ContainerRow; source: StoredFile; survey: ContainerSurvey };

async function opened<T>(deps: ContainerDeps, row: ContainerRow, work: (opened: Opened) => Promise<T>): Promise<T> {
  const source = await deps.storage.open(row.storage_key);
  try {
    return await work({ deps, row, source, survey: await surveyContainer(source, row.kind, deps.nowUs()) });
  } finally {
    await source.close();
  }
}

type Requested = { again: boolean; signal: AbortSignal; progress: (percent: number) => void };

/**
 * Makes the transport stream of a recording in a container if it does not exist, and returns the facts about the
 * recording. `isNew` is true if the stream was made now, so that an earlier index does not match it.
 *
 * @throws AppError badFile, diskFull, decoderMissing
 */
export async function prepareContainer(
  deps: ContainerDeps,
  row: ContainerRow,
  { again, signal, progress }: Requested,
): Promise<{ facts: ContainerFacts; isNew: boolean }> {
  const { storage } = deps;
  const key = streamKey(row.sensor_id, row.id);
  const existing = await storedFacts(storage, row);
  const isThere = (await storage.stat(key)) !== null;
  if (existing && isThere && !again) return { facts: existing, isNew: false };
  return opened(deps, row, async (one) => {
    const made = !isThere || again ? await makeStream(one, key, { signal, progress }) : one.survey;
    const facts = await factsOf({ ...one, survey: made });
    await putJson(storage, fileIndexKey(row.sensor_id, factsId(row.id)), facts);
    return { facts, isNew: !isThere || again };
  });
}

type Making = { key: string } & Omit<Requested, 'again'>;

/** Note for recordings with pictures that ffmpeg cannot copy but can decode. */
const DAMAGED = 'Some of its pictures are damaged: all were converted, so that the others can be shown.';

/** Makes the stream. Returns the survey, updated with what was actually done. */
async function makeStream(one: Opened, key: string, requested: Omit<Requested, 'again'>): Promise<ContainerSurvey> {
  const { deps, row, source, survey } = one;
  if (!deps.ffmpeg.available()) throw new AppError('decoderMissing');
  const { freeBytes, totalBytes } = await deps.storage.space();
  if (freeBytes - (deps.reserveBytes ?? uploadReserve(totalBytes)) < source.sizeBytes) throw new AppError('diskFull');
  const making = { key, ...requested };
  const error = await tryStream(one, making);
  if (error === null) return survey;
  const encoded: ContainerSurvey = {
    ...survey,
    video: { ...survey.video, way: 'encode' },
    notes: [...survey.notes, DAMAGED],
  };
  const last = survey.video.way === 'copy' ? await tryStream({ ...one, survey: encoded }, making) : error;
  if (last === null) return encoded;
  deps.log.warn({ fileId: row.id, detail: last.detail }, 'a container could not be read');
  throw new AppError('badFile', { reason: last.message.replace(/\.$/, '') }, last);
}

/** Tries to make the stream; returns null if it was stored, or else the error. */
async function tryStream(one: Opened, { key, signal, progress }: Making): Promise<DecoderError | null> {
  const { deps, row, source, survey } = one;
  try {
    await deps.storage.put(key, streamOf({ ...deps, source, key: row.storage_key, survey, signal, progress }));
    return null;
  } catch (error) {
    if (error instanceof DecoderError) return error;
    throw error;
  }
}

async function factsOf({ source, survey }: Opened): Promise<ContainerFacts> {
  const { mp4, createdUs, isZoned, notes } = survey;
  const gpmf = mp4?.metadata.gpmf;
  const gpsUs = mp4 && gpmf ? await gpmfStartUs({ source, file: mp4.file, track: gpmf }) : null;
  const embedded = gpmf ? 'gpmf' : mp4?.metadata.subtitles || survey.hasSubtitles ? 'subtitles' : null;
  return {
    version: INDEX_VERSION,
    startUs: gpsUs ?? createdUs,
    startFrom: gpsUs === null ? 'container' : 'gps',
    isZoned: gpsUs !== null || isZoned,
    notes,
    encoded: survey.video.way === 'encode',
    embedded,
  };
}

/** Returns the presentation time, in seconds, of the first picture of a container's stream. */
export const firstPictureSeconds = ({ runs }: Pick<FileIndex, 'runs'>): number => {
  const [first] = runs;
  return first ? first.firstPts / TICKS_PER_SECOND - CONTAINER_START_SECONDS : 0;
};

/** Returns start time and notes of a file according to its container. */
export const containerOf = (
  { startUs, startFrom, isZoned = true, notes }: ContainerFacts,
  index: FileIndex,
): ContainerWord => ({
  startUs: startUs === null ? null : startUs + Math.round(firstPictureSeconds(index) * 1e6),
  startFrom,
  isZoned,
  notes,
});
/** `startUs`: UTC time of the first picture. */
export type ContainerWord = Pick<ContainerFacts, 'startUs' | 'startFrom' | 'isZoned' | 'notes'>;

type Embedding = { facts: ContainerFacts; index: FileIndex; isExchanged: boolean; again: boolean; signal: AbortSignal };

/**
 * Reads telemetry of a recording other than KLV: positions of a GoPro, subtitles of a DJI drone. Null if none can be
 * read, which a note explains.
 */
export async function embeddedTelemetry(
  deps: ContainerDeps,
  row: ContainerRow,
  { facts, index, isExchanged, again, signal }: Embedding,
): Promise<SidecarIndex | null> {
  // KLV contains more and takes precedence.
  if (facts.embedded === null || index.records > 0) return null;
  const { storage } = deps;
  const existing = await readFileIndex<SidecarIndex>(storage, row.sensor_id, embeddedId(row.id));
  if (existing && !again && (existing.isExchangeAsked ?? false) === isExchanged) return existing;
  return opened(deps, row, async (one) => {
    const sidecar = await sidecarOf(one, { isExchanged, signal });
    if (sidecar === null) return null;
    const startUs = Math.round(firstPictureSeconds(index) * 1e6);
    const file = { id: embeddedId(row.id), name: row.name, isExchanged };
    const shifted = { ...sidecar, rows: fromFirstPicture(sidecar.rows, startUs) };
    return indexRows({ storage, sensorId: row.sensor_id, file, sidecar: shifted, signal }).catch(noneIfBad);
  });
}

function noneIfBad(error: unknown): null {
  if (error instanceof AppError && error.code === 'badFile') return null;
  throw error;
}

async function sidecarOf(
  { deps, row, source, survey: { mp4, durationSeconds } }: Opened,
  { isExchanged, signal }: { isExchanged: boolean; signal: AbortSignal },
): Promise<Sidecar | null> {
  const track = mp4?.metadata.gpmf;
  if (mp4 && track) {
    const rows = gpmfRows({ source, file: mp4.file, track });
    return { format: 'gpmf', clock: 'video', isStartAssumed: false, order: null, rows };
  }
  const { storage, ffmpeg } = deps;
  const subtitles = mp4?.metadata.subtitles;
  if (!subtitles && (mp4 || !ffmpeg.available())) return null;
  const text = subtitles
    ? () => subtitleText({ source, file: mp4!.file, track: subtitles })
    : () =>
        ffmpeg.subtitles({
          source: Readable.from(storage.read(row.storage_key), { objectMode: false }),
          ...{ sourceBytes: source.sizeBytes, durationSeconds, signal },
        });
  const retained = await textOf(text());
  if (retained === null || sidecarFormat(retained.toString()) !== 'srt') return null;
  return readSidecar({ open: () => Readable.from([retained]), isExchanged }).catch(noneIfBad);
}

/** Maximum size of subtitles; those of a day, one per picture, are smaller. */
const TEXT_MAX_BYTES = 64 * 1024 * 1024;

async function textOf(source: AsyncIterable<Uint8Array>): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of source) {
      size += piece.byteLength;
      if (size > TEXT_MAX_BYTES) return null;
      chunks.push(Buffer.from(piece));
    }
  } catch (error) {
    if (error instanceof DecoderError) return null;
    throw error;
  }
  return chunks.length === 0 ? null : Buffer.concat(chunks);
}

async function* fromFirstPicture(rows: AsyncGenerator<SidecarRow>, startUs: number): AsyncGenerator<SidecarRow> {
  for await (const row of rows) yield { ...row, timeUs: row.timeUs - startUs };
}
