import type { SensorTimeline } from '@osprey/contract';
import { decodeSt0601Item, isValues } from '@osprey/klv';
import type { Storage } from '../../base/storage/storage.ts';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { getJson, type StoredSegments } from '../index/file-index.ts';
import type { IndexedFile, PlayableFile, PlayableSegment, SensorIndex } from '../index/sensor-index.ts';
import { forPlayers, withSound } from '../index/sound.ts';
import { type ArrangedFile, arrange, type FileToArrange } from './arrange.ts';
import { fileOfIndex } from './container-file.ts';
import { courseOf } from './course.ts';
import { type Covered, countTargets, type Ground, surveyGround } from './ground.ts';
import { bySeverity, healthOf } from './health.ts';
import { plausibilityOf } from './plausibility.ts';
import { sidecarFiles, type TimedSidecar } from './sidecar-index.ts';
import { reportSidecars } from './sidecar-report.ts';
import { shownSegments, timelineOf, timelineOfSidecars, withPauses } from './timeline.ts';

const VMTI_TAG = 74;
const MAX_BINS = 3600;

/** A file with the source from which it is played: the original, or a rendition with separate segments. */
export type FileToBuild = FileToArrange & {
  playable: { storageKey: string; index: FileToArrange['index'] } | null;
};

export type BuiltIndex = { index: SensorIndex; ground: Ground; files: ArrangedFile[] };

type BuildOptions = {
  storage: Storage;
  reader: TelemetryReader;
  sensorId: string;
  files: readonly FileToBuild[];
  /** Used if the recordings contain no telemetry. */
  sidecars: readonly TimedSidecar[];
  /** Also receives the footprints, for the area of the whole mission. */
  mission: Covered;
};

/** Builds the index of a sensor from those of its files, without reading the originals. */
export async function buildIndex(options: BuildOptions): Promise<BuiltIndex> {
  const { storage, reader, sensorId, files, mission } = options;
  const arranged = arrange(files);
  const placed: { file: ArrangedFile; segments: PlayableSegment[]; indexed: IndexedFile }[] = [];
  const played: Played[] = [];
  for (const file of arranged) {
    const playable = files.find(({ id }) => id === file.id)?.playable ?? null;
    const media = playable && (await playableOf(storage, file, playable));
    if (playable && media && media.segments.length > 0) played.push({ media, index: playable.index });
    const indexed: IndexedFile = {
      fileId: file.id,
      telemetryKey: file.index.telemetryKey,
      timebase: file.timebase,
      ...(file.index.klv.failedSets && { failedSets: file.index.klv.failedSets }),
      window: file.window,
      ...(file.telemetryFromUs !== undefined && { telemetryFromUs: file.telemetryFromUs }),
      video: file.index.video,
      media,
    };
    placed.push({ file, segments: media?.segments ?? [], indexed });
  }
  const isSilenced = comesLate(played);
  if (isSilenced) for (const { media } of played) silence(media);
  const isAlone = arranged.every(({ index }) => index.records === 0);
  // Telemetry within a copy is that within its original.
  const isOfCopy = ({ fileId }: TimedSidecar) =>
    arranged.some(({ id, isCopy }) => isCopy && id === fileOfIndex(fileId));
  const sidecars = isAlone ? options.sidecars.filter((one) => !isOfCopy(one)) : [];
  const sidecarIndexes = sidecarFiles(sidecars, arranged);
  const indexedFiles = [...placed.map(({ indexed }) => indexed), ...sidecarIndexes];
  const ground = await surveyGround(reader, indexedFiles, mission);
  const dated = timelineOf(placed) ?? timelineOfSidecars(sidecarIndexes);
  const times = dated && withPauses(dated, ground.pauses);
  const timeline =
    times && (await complete(reader, { sensorId, times, files: indexedFiles, frameRate: rateOf(files) }));
  const isShown = ({ fileId }: TimedSidecar) => sidecarIndexes.some((one) => one.fileId === fileId);
  const runs = times?.runs ?? [];
  const health = healthOf(sensorId, arranged, {
    shown: sidecars.filter(isShown),
    covered: sidecars.filter((one) => !isShown(one)),
    unused: isAlone ? [] : options.sidecars.filter((one) => !isOfCopy(one)),
    reports: await reportSidecars(reader, { sidecars, files: sidecarIndexes, runs }),
    runs,
  });
  if (times && health.sets > 0)
    health.course = await courseOf(reader, indexedFiles, { startUs: times.startTime, endUs: times.endTime });
  if (isSilenced) health.findings.push({ severity: 'warning', text: LATE_SOUND });
  health.findings = bySeverity([...health.findings, ...(await plausibilityOf(reader, indexedFiles))]);
  const index: SensorIndex = { version: 1, files: indexedFiles, timeline, health };
  return { index, ground, files: arranged };
}

async function playableOf(
  storage: Storage,
  file: ArrangedFile,
  { storageKey, index }: NonNullable<FileToBuild['playable']>,
): Promise<PlayableFile | null> {
  const { segmentsKey, packeting, program, moves } = index;
  if (segmentsKey === null || packeting === null || program === null) return null;
  const { segments, keyframes } = await getJson<StoredSegments>(storage, segmentsKey);
  const keys = keyframes.map(([offset, ptsTicks, run]) => ({ offset, ptsTicks, run }));
  const all = segments.map(([offset, sizeBytes, startTicks, durationTicks, run], n) => {
    return { n, offset, sizeBytes, startTicks, durationTicks, run };
  });
  return {
    storageKey,
    sizeBytes: index.sizeBytes,
    rangesPlayable: index.rangesPlayable,
    packeting,
    program: forPlayers(program),
    ...(moves && { moves: moves.map((move) => ({ ...move, program: forPlayers(move.program) })) }),
    segments: shownSegments(file, all, keys),
  };
}

const LATE_SOUND = 'Sound begins only later than the first pictures; players stop there, so it is left out.';

type Played = { media: PlayableFile; index: FileToArrange['index'] };

/**
 * Returns whether audio begins only after the first segment. Browsers cannot add audio to playback that began without
 * it (Media Source Extensions, 2.2: addSourceBuffer after the first initialization segment).
 */
function comesLate(played: readonly Played[]): boolean {
  const [first] = played;
  const segment = first?.media.segments[0];
  if (first === undefined || segment === undefined || !played.some(({ index }) => index.sounds?.length)) return false;
  // An index of an older version does not contain where the audio begins; it mostly begins at the start.
  return first.index.sounds?.every(({ offset }) => offset >= segment.offset + segment.sizeBytes) ?? false;
}

/** Removes the audio of a file, so that its segments are cut without it. */
function silence(media: PlayableFile): void {
  const programs = [media.program, ...(media.moves ?? []).map(({ program }) => program)];
  const silent = programs.map((program) => withSound(program, null));
  if (silent.every(({ streams }, i) => streams.length === programs[i]!.streams.length)) return;
  media.rangesPlayable = false;
  media.program = silent[0]!;
  if (media.moves) media.moves = media.moves.map((move, i) => ({ ...move, program: silent[i + 1]! }));
}

type Completing = {
  sensorId: string;
  times: NonNullable<ReturnType<typeof timelineOf>>;
  files: readonly IndexedFile[];
  frameRate: number | null;
};

async function complete(reader: TelemetryReader, completing: Completing): Promise<SensorTimeline> {
  const { sensorId, times, files, frameRate } = completing;
  const seconds = Math.max(1, (times.endTime - times.startTime) / 1e6);
  const binSeconds = Math.max(1, Math.ceil(seconds / MAX_BINS));
  const counts = await countTargets(reader, files, {
    startUs: times.startTime,
    binSeconds,
    bins: Math.ceil(seconds / binSeconds),
    targetsIn,
  });
  return {
    sensor: sensorId,
    ...times,
    targets: { binSeconds, counts },
    frameRate,
  };
}

/** Returns the rate of the pictures that are played: a rendition converts interlaced fields to frames. */
function rateOf(files: readonly FileToBuild[]): number | null {
  const first = files.find(({ index }) => index.video !== null);
  const played = first?.playable?.index ?? first?.index;
  return played?.video?.frameRate ?? null;
}

/**
 * Returns the number of targets: ST 0903 tag 101 is the series of target packs, tag 6 the number of targets reported in
 * it.
 */
function targetsIn(set: Uint8Array): number {
  const vmti = decodeSt0601Item(set, { tag: VMTI_TAG, start: 0, end: set.byteLength });
  if (!isValues(vmti)) return 0;
  const { '101': series, '6': reported } = vmti;
  if (Array.isArray(series)) return series.length;
  return typeof reported === 'number' ? reported : 0;
}
