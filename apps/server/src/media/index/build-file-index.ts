import { randomUUID } from 'node:crypto';
import { AppError } from '@osprey/contract';
import { isSound, isVideo, type Program } from '@osprey/mpegts';
import type { Append, Storage, StoredFile } from '../../base/storage/storage.ts';
import { type FileIndex, fileIndexKey, INDEX_VERSION, indexFolder, putJson, toStoredSegments } from './file-index.ts';
import type { KlvStream, KlvSurvey, RequestedKlv } from './klv-survey.ts';
import { storeMarkSpans } from './mark-spans.ts';
import { isUsable } from './shown-program.ts';
import { playedSounds, stopsPlayers, unknownSounds } from './sound.ts';
import { readStream, type StreamSurvey } from './stream-pass.ts';

export type IndexFileOptions = {
  storage: Storage;
  sensorId: string;
  file: { id: string; key: string };
  nowUs: number;
  onMark: (rank: number) => Promise<void>;
  /** Receives the progress in per cent of the file. */
  onProgress: (percent: number) => void;
  signal: AbortSignal;
  /** The index that is valid until the new one is complete. */
  before?: FileIndex | null;
  /** The KLV stream to show; null for the automatic choice. */
  requested?: RequestedKlv | null;
  /** PID of the video to show; null for the first one. */
  videoPid?: number | null;
};

/**
 * Reads one original and writes its indexes. The last write makes the others valid, so a pass that is killed leaves no
 * incomplete index, and one that fails leaves the previous index in place.
 *
 * @throws AppError badFile for a stream without anything that a sensor could show
 */
export async function indexFile(options: IndexFileOptions): Promise<FileIndex> {
  const { storage, sensorId, file, before = null, requested = null } = options;
  await removeLeftovers(storage, sensorId, [before ?? { fileId: file.id }]);
  const source = await storage.open(file.key);
  try {
    const index = await indexOnce(options, source, { requested, apart: [] });
    const { better, apart } = index.klv;
    if (better === undefined && apart === undefined) return index;
    // Which streams contain the most positions is known only at the end. It is rarely another one than the first with
    // any.
    const next: RequestedKlv | null = better === undefined ? requested : { pid: better, by: 'positions' };
    return await indexOnce(options, source, { requested: next, apart: apart ?? [] });
  } finally {
    await source.close();
  }
}

type Reading = { requested: RequestedKlv | null; apart: readonly number[] };

async function indexOnce(options: IndexFileOptions, source: StoredFile, reading: Reading): Promise<FileIndex> {
  const { storage, sensorId, file, signal } = options;
  const target = indexTarget(sensorId, file.id);
  const telemetry = await storage.append(target.telemetryKey);
  try {
    const survey = await readStream({
      source,
      signal,
      nowUs: options.nowUs,
      writeIndex: telemetry.write,
      onMark: options.onMark,
      onProgress: (bytes) => options.onProgress((100 * bytes) / source.sizeBytes),
      ...reading,
      videoPid: options.videoPid ?? null,
    });
    return await storeIndex({ storage, target, survey, telemetry, hasOtherVideo: options.videoPid != null });
  } catch (error) {
    await storage.remove(target.telemetryKey);
    throw error;
  } finally {
    await telemetry.close();
  }
}

/** Storage keys for the index of a file, with unique names until the index becomes valid. */
export type IndexTarget = { sensorId: string; fileId: string; telemetryKey: string; segmentsKey: string };

export function indexTarget(sensorId: string, fileId: string): IndexTarget {
  const stem = `${indexFolder(sensorId)}/${fileId}-${randomUUID().slice(0, 8)}`;
  return { sensorId, fileId, telemetryKey: `${stem}.telemetry`, segmentsKey: `${stem}.segments.json` };
}

type Storing = {
  storage: Storage;
  target: IndexTarget;
  survey: StreamSurvey;
  telemetry: Append;
  /** True if the bytes contain another video, which is not shown but which players would choose. */
  hasOtherVideo?: boolean;
};

/**
 * Stores the results of a finished pass; `telemetry` is the file of all telemetry it wrote.
 *
 * @throws AppError badFile for a stream without anything that a sensor could show
 */
export async function storeIndex({
  storage,
  target,
  survey,
  telemetry,
  hasOtherVideo = false,
}: Storing): Promise<FileIndex> {
  refuseUseless(survey);
  await telemetry.sync();
  const segmentsKey = survey.segments && target.segmentsKey;
  if (survey.segments && segmentsKey) await putJson(storage, segmentsKey, toStoredSegments(survey.segments));
  // A recording without marks needs none.
  if (survey.klv.mark !== null) await storeMarkSpans(storage, target, survey.markSpans);
  const telemetryKey = survey.records > 0 ? target.telemetryKey : null;
  const keys = { fileId: target.fileId, telemetryKey, segmentsKey };
  const index = toIndex(survey, { keys, hasOtherVideo });
  await putJson(storage, fileIndexKey(target.sensorId, target.fileId), index);
  if (telemetryKey === null) await storage.remove(target.telemetryKey);
  return index;
}

type Retained = Pick<FileIndex, 'fileId'> & Partial<Pick<FileIndex, 'telemetryKey' | 'segmentsKey'>>;

/**
 * Removes index files of these originals that the current indexes do not refer to, left by interrupted or earlier
 * passes.
 */
export async function removeLeftovers(
  storage: Storage,
  sensorId: string,
  retained: readonly Retained[],
): Promise<void> {
  const folder = indexFolder(sensorId);
  const files = new Map(retained.map((one) => [one.fileId, one]));
  for await (const { key } of storage.list(folder)) {
    const [, fileId = ''] = /^(.+)-[0-9a-f]{8}\./.exec(key.slice(folder.length + 1)) ?? [];
    const file = files.get(fileId);
    if (file && key !== file.telemetryKey && key !== file.segmentsKey) await storage.remove(key);
  }
}

/** @throws AppError badFile */
function refuseUseless({ report, program, segments, video, records, klv }: StreamSurvey): void {
  if (report.packetSize === null) throw refused('it is not a transport stream');
  const scrambled = report.scrambledPids.length > 0;
  const isEmpty = (segments === null || video === null) && records === 0 && klv.streams.every(isWithoutSets);
  if (scrambled && isEmpty) throw refused('the stream is scrambled');
  if (program === null || !isUsable(program)) {
    const isSoundAlone = report.programs.some(({ streams }) => streams.some(({ kind }) => isSound(kind)));
    throw refused(isSoundAlone ? 'it is sound alone' : 'no program with video or telemetry was found');
  }
  if (isEmpty && isUntimed({ segments, video })) throw refused('none of its pictures has a time');
  if (isEmpty) throw refused('it holds neither a picture nor telemetry');
}

const isWithoutSets = ({ sets, unknownKeys }: KlvStream): boolean => sets === 0 && unknownKeys === undefined;

/**
 * Returns whether there were pictures, but none with a PTS, so that none can be played or converted to the clock of the
 * telemetry.
 */
const isUntimed = ({ segments, video }: Pick<StreamSurvey, 'segments' | 'video'>): boolean =>
  video !== null && segments === null;

const refused = (reason: string) => new AppError('badFile', { reason });

type Keys = Pick<FileIndex, 'fileId' | 'telemetryKey' | 'segmentsKey'>;

function toIndex(survey: StreamSurvey, { keys, hasOtherVideo }: { keys: Keys; hasOtherVideo: boolean }): FileIndex {
  const { report, segments, directory } = survey;
  const spans = new Map<number, FileIndex['klvSpans'][number]>();
  for (const { run, min, max } of directory.blocks.flatMap((block) => block.spans)) {
    const existing = spans.get(run);
    spans.set(run, { run, min: Math.min(min, existing?.min ?? min), max: Math.max(max, existing?.max ?? max) });
  }
  const programs = [survey.program, ...survey.moves.map(({ program }) => program)].filter((one) => one !== null);
  const reasons = [...reasonsOf(survey, programs), ...(hasOtherVideo ? [OTHER_VIDEO] : [])];
  const before = bytesBeforeTables(survey);
  const leftOut = { videos: survey.otherVideos, sounds: unknownSounds(programs, report) };
  return {
    ...keys,
    version: INDEX_VERSION,
    sizeBytes: report.bytes,
    packeting: survey.packeting,
    program: survey.program,
    ...(survey.moves.length > 0 && { moves: survey.moves }),
    otherPrograms: otherPrograms(report.programs, programs, survey.klv),
    video: segments && survey.video,
    ...(segments?.startsSeldom && { startsSeldom: true as const }),
    ...(isUntimed(survey) && { isUntimed: true as const }),
    ...(survey.formats.length > 1 && { formats: survey.formats }),
    ...((leftOut.videos.length > 0 || leftOut.sounds.length > 0) && { leftOut }),
    sounds: playedSounds(programs, report),
    runs: segments?.runs ?? [],
    rangesPlayable: segments !== null && reasons.length === 0,
    reasons,
    frames: segments?.frames ?? 0,
    klvSpans: [...spans.values()],
    klv: survey.klv,
    ...(survey.pictureClock && { pictureClock: survey.pictureClock }),
    ...(survey.ais.length > 0 && { ais: survey.ais }),
    records: survey.records,
    tags: survey.tags,
    transport: { ...report.faults },
    trailingBytes: report.trailingBytes,
    patSeen: report.patSeen,
    ...(before > 0 && { beforeTables: before }),
  };
}

function bytesBeforeTables({ program, report }: StreamSurvey): number {
  const offsetOf = (pid: number | undefined) => report.pids.find((one) => one.pid === pid)?.firstOffset ?? 0;
  return offsetOf(program?.pmtPid) - offsetOf(program?.streams.find(({ kind }) => isVideo(kind))?.pid);
}

const OTHER_VIDEO = 'Another video of the stream is left out.';

/** Returns the reasons why players cannot play byte ranges of the originals. */
function reasonsOf({ segments }: StreamSurvey, programs: readonly Program[]): string[] {
  const reasons = [...(segments?.reasons ?? [])];
  if (segments?.gaps) reasons.push('Packets of the video are missing.');
  if (programs.some(stopsPlayers)) reasons.push('Players stop at a sound stream that they do not know.');
  return reasons;
}

/** Number of other programs with content; those whose KLV belongs to the shown program are not counted. */
function otherPrograms(
  present: readonly Program[],
  shown: readonly Program[],
  { streams, found = [] }: KlvSurvey,
): number {
  const existing = new Set([
    ...shown.map(({ number }) => number),
    ...[...streams, ...found].map(({ program }) => program),
  ]);
  return present.filter((one) => !existing.has(one.number) && isUsable(one)).length;
}
