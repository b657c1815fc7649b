import type { SensorTimeline } from '@osprey/contract';
import { decodeSt0601Item } from '@osprey/klv';
import type { Storage } from '../storage/storage.ts';
import type { TelemetryReader } from '../telemetry/reader.ts';
import { type ArrangedFile, arrange, type FileToArrange } from './arrange.ts';
import { courseOf } from './course.ts';
import { getJson, type StoredSegments } from './file-index.ts';
import { type Covered, countTargets, type Ground, surveyGround } from './ground.ts';
import { healthOf } from './health.ts';
import type { IndexedFile, PlayableFile, PlayableSegment, SensorIndex } from './sensor-index.ts';
import { type SidecarIndex, sidecarFiles } from './sidecar-index.ts';
import { forPlayers } from './sound.ts';
import { shownSegments, timelineOf, timelineOfSidecars, withPauses } from './timeline.ts';

const VMTI_TAG = 74;
const MAX_BINS = 3600;

/** A file with what it is played from: the original, or a rendition with its own segments. */
export type FileToBuild = FileToArrange & {
  playable: { storageKey: string; index: FileToArrange['index'] } | null;
};

export type BuiltIndex = { index: SensorIndex; ground: Ground; files: ArrangedFile[] };

type BuildOptions = {
  storage: Storage;
  reader: TelemetryReader;
  sensorId: string;
  files: readonly FileToBuild[];
  /** Used where the recordings hold no telemetry of their own. */
  sidecars: readonly SidecarIndex[];
  /** Takes the footprints too, for the area of the whole mission. */
  mission: Covered;
};

/** Makes the index of a sensor from those of its files. Nothing is read of the originals. */
export async function buildIndex(options: BuildOptions): Promise<BuiltIndex> {
  const { storage, reader, sensorId, files, mission } = options;
  const arranged = arrange(files);
  const placed: { file: ArrangedFile; segments: PlayableSegment[]; indexed: IndexedFile }[] = [];
  for (const file of arranged) {
    const playable = files.find(({ id }) => id === file.id)?.playable ?? null;
    const media = playable && (await playableOf(storage, file, playable));
    const indexed: IndexedFile = {
      fileId: file.id,
      telemetryKey: file.index.telemetryKey,
      timebase: file.timebase,
      ...(file.index.klv.failedSets && { failedSets: file.index.klv.failedSets }),
      window: file.window,
      video: file.index.video,
      media,
    };
    placed.push({ file, segments: media?.segments ?? [], indexed });
  }
  const isAlone = arranged.every(({ index }) => index.records === 0);
  const sidecars = isAlone ? options.sidecars : [];
  const beside = sidecarFiles(sidecars, arranged);
  const indexedFiles = [...placed.map(({ indexed }) => indexed), ...beside];
  const ground = await surveyGround(reader, indexedFiles, mission);
  const dated = timelineOf(placed) ?? timelineOfSidecars(beside);
  const times = dated && withPauses(dated, ground.pauses);
  const timeline =
    times && (await completed(reader, { sensorId, times, files: indexedFiles, frameRate: rateOf(files) }));
  const health = healthOf(sensorId, arranged, sidecars);
  if (times && health.sets > 0)
    health.course = await courseOf(reader, indexedFiles, { startUs: times.startTime, endUs: times.endTime });
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

type Completing = {
  sensorId: string;
  times: NonNullable<ReturnType<typeof timelineOf>>;
  files: readonly IndexedFile[];
  frameRate: number | null;
};

async function completed(reader: TelemetryReader, completing: Completing): Promise<SensorTimeline> {
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

/** Of the pictures that are played: a rendition makes frames of fields. */
function rateOf(files: readonly FileToBuild[]): number | null {
  const first = files.find(({ index }) => index.video !== null);
  const played = first?.playable?.index ?? first?.index;
  return played?.video?.frameRate ?? null;
}

/** ST 0903 tag 101 is the series of target packs; tag 6 the number of targets reported in it. */
function targetsIn(set: Uint8Array): number {
  const vmti = decodeSt0601Item(set, { tag: VMTI_TAG, start: 0, end: set.byteLength });
  if (typeof vmti !== 'object' || vmti === null || Array.isArray(vmti) || vmti instanceof Uint8Array) return 0;
  const { '101': series, '6': reported } = vmti;
  if (Array.isArray(series)) return series.length;
  return typeof reported === 'number' ? reported : 0;
}
