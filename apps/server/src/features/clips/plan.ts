import {
  PACKET_SIZE,
  type Packeting,
  type Program,
  type RunPlace,
  runPlaces,
  TICKS_PER_SECOND,
  type VideoFormat,
} from '@osprey/mpegts';
import type { Db } from '../../base/access/as-system.ts';
import { filesOfSensor } from '../../base/items/sensors.ts';
import { originalKey, streamKeyOf } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { getJson, programOfRun, readFileIndex, type StoredSegments } from '../../media/index/file-index.ts';
import { isMarkedThroughout, readMarkSpans } from '../../media/index/mark-spans.ts';
import type { IndexedFile } from '../../media/index/sensor-index.ts';
import { storedFacts } from '../../media/ingest/container-file.ts';
import type { SensorIndexes } from '../../media/play/sensor-index-cache.ts';
import type { RecordedSegment, RecordedSensor } from '../../recorder-wire/protocol.ts';
import { ptsOfUtc, type Timebase, utcOfPts } from '../../telemetry/timebase.ts';

/** Time span in UTC microseconds, end excluded. */
export type AskedSpan = readonly [inUs: number, outUs: number];

/** A single cut of one file: the part of a span that lies in one run of the file's clock. */
export type Piece = {
  fileId: string;
  fileName: string;
  key: string;
  /** Hash of the original; null if it is not known yet. */
  sha256: string | null;
  /** True if the pictures were re-encoded for the rendition and differ from those of the original. */
  converted: boolean;
  run: number;
  place: RunPlace;
  /** Whether the piece includes everything before the run's first picture (`start`) and after its last (`end`). */
  complete: { start: boolean; end: boolean };
  packeting: Pick<Packeting, 'packetSize' | 'syncOffset'>;
  /** Program to cut; null for the first program with video. */
  program: Program | null;
  /** Format of the piece. Pieces of the same format can be joined into one stream. */
  format: string;
  /** Unwrapped PTS of the key frame; null while the recording is running. */
  keyPts: number | null;
  /** Where the key frame begins, in bytes. */
  offset: number;
  /** Approximate offset of the span's end, in bytes: the end of the picture group that contains it. */
  endsAbout: number;
  /**
   * Distance from the key frame to the first requested moment (`askedTicks`) and to the end (`lengthTicks`), in 90 kHz
   * ticks.
   */
  askedTicks: number;
  lengthTicks: number;
  /** Time shown, in UTC microseconds, of the point that is this many 90 kHz ticks after the key frame. */
  utcOf: (ticks: number) => number;
  /** The highest security mark in its stream; null if there is none. */
  mark: number | null;
  /** True if the recording states that mark throughout the piece; false if the piece has to be read to know. */
  isMarked: boolean;
};

export type PlanDeps = {
  db: Db;
  storage: Pick<Storage, 'read' | 'stat'>;
  indexes: SensorIndexes;
  /** A sensor that is being recorded now, with its files so far; null where it is not. */
  recording: (sensorId: string) => RecordedSensor | null;
  segments: (fileId: string) => readonly RecordedSegment[];
};

export type PlannedSensor = { id: string; indexKey: string | null; shiftUs: number };

const TICKS_PER_US = TICKS_PER_SECOND / 1e6;
/**
 * Tolerance for rounding, in 90 kHz ticks. Doubles represent microseconds since 1970 to a quarter of a microsecond, and
 * rounding to whole microseconds causes an error below this value.
 */
const ROUNDING_TICKS = 0.03;

/** Returns the cuts needed for a span of a sensor, in order of time. Empty if nothing was recorded. */
export async function planCuts(deps: PlanDeps, sensor: PlannedSensor, span: AskedSpan): Promise<Piece[]> {
  const recorded = deps.recording(sensor.id);
  if (recorded !== null) return growingPieces(recorded, deps.segments, span);
  const index = await deps.indexes.read(sensor.indexKey);
  const originals = await originalsOf(deps.db, sensor.id);
  const pieces: Piece[] = [];
  for (const file of index?.files ?? []) {
    const original = originals.get(file.fileId);
    const own: AskedSpan = [
      Math.max(span[0] - sensor.shiftUs, file.window[0]),
      Math.min(span[1] - sensor.shiftUs, file.window[1]),
    ];
    if (original === undefined || own[0] >= own[1]) continue;
    const found = await piecesOfFile(deps.storage, { sensor, file, original }, own);
    pieces.push(...found);
  }
  return pieces.sort((a, b) => a.utcOf(0) - b.utcOf(0));
}

export const estimatedBytes = ({ offset, endsAbout }: Piece): number => Math.max(0, endsAbout - offset);

/** Kinds of files with pictures. */
const CONTAINERS: readonly string[] = ['ts', 'mp4', 'mkv'];

type Original = { name: string; streamKey: string; sha256: string | null; isContainer: boolean };

async function originalsOf(db: Db, sensorId: string): Promise<Map<string, Original>> {
  const rows = (await filesOfSensor(db, 'media', sensorId)).filter(({ kind }) => CONTAINERS.includes(kind));
  // For another container the transport stream made of it is cut, whose hash is not that of the original.
  return new Map(
    rows.map((row) => [
      row.id,
      {
        name: row.name,
        streamKey: streamKeyOf(row),
        sha256: row.kind === 'ts' ? row.sha256 : null,
        isContainer: row.kind !== 'ts',
      },
    ]),
  );
}

type OfFile = { sensor: PlannedSensor; file: IndexedFile; original: Original };

async function piecesOfFile(
  storage: PlanDeps['storage'],
  { sensor, file, original }: OfFile,
  [fromUs, toUs]: AskedSpan,
): Promise<Piece[]> {
  const index = await readFileIndex(storage, sensor.id, file.fileId);
  if (index?.segmentsKey == null || index.packeting === null) return [];
  const { segments, keyframes } = await getJson<StoredSegments>(storage, index.segmentsKey);
  const { timebase } = file;
  const made = original.isContainer ? await storedFacts(storage, { id: file.fileId, sensor_id: sensor.id }) : null;
  const converted = made?.encoded ?? false;
  const marks = index.klv.mark === null ? null : await readMarkSpans(storage, sensor.id, file.fileId);
  // The two are stored one after the other, so they may be of different readings of the file.
  const found = marks?.found?.mark === index.klv.mark ? marks.found : null;
  const runs = runPlaces(segments.map(([offset, sizeBytes, , , run]) => ({ offset, sizeBytes, run })));
  const pieces: Piece[] = [];
  for (const { run, firstPts, lastPts, lastDurationTicks } of index.runs) {
    const startUs = utcOfPts(timebase, run, firstPts);
    const endUs = utcOfPts(timebase, run, lastPts + lastDurationTicks);
    const [aUs, bUs] = [Math.max(fromUs, startUs), Math.min(toUs, endUs)];
    if (!(aUs < bUs)) continue;
    const [inTicks, outTicks] = [ticksOf(timebase, run, aUs), ticksOf(timebase, run, bUs)];
    // For other containers, the transport stream made from the original is cut, so the original's hash does not apply.
    const isTrimmed = aUs === file.window[0] && aUs > startUs;
    const own = keyframes.filter(([, , ofRun]) => ofRun === run);
    // If the file is shown only from this point on, the pictures before it belong to another file.
    const next = own.findIndex(([, pts]) => pts > inTicks);
    const before = own[(next < 0 ? own.length : next) - 1];
    const after = own.find(([, pts]) => pts >= inTicks && pts < outTicks);
    const keyframe = (isTrimmed ? after : before) ?? before ?? after;
    const place = runs.get(run);
    if (keyframe === undefined || place === undefined || keyframe[1] >= outTicks) continue;
    const [offset, keyPts] = keyframe;
    const program = programOfRun(index, run);
    const endsAbout = own.find(([, pts]) => pts >= outTicks)?.[0] ?? place.limit;
    pieces.push({
      ...{ fileId: file.fileId, fileName: original.name, key: original.streamKey, sha256: original.sha256 },
      converted,
      ...{ run, place, packeting: index.packeting, program, keyPts, offset, endsAbout },
      complete: { start: inTicks <= firstPts, end: outTicks >= lastPts + lastDurationTicks },
      format: formatOf(file.video, program),
      askedTicks: Math.max(0, inTicks - keyPts),
      lengthTicks: outTicks - keyPts,
      utcOf: (ticks) => Math.round(utcOfPts(timebase, run, keyPts + ticks)) + sensor.shiftUs,
      mark: index.klv.mark,
      isMarked: found !== null && isMarkedThroughout(found, { run, startTicks: keyPts, endTicks: outTicks }),
    });
  }
  return pieces;
}

const ticksOf = (timebase: Timebase, run: number, us: number): number =>
  Math.floor(ptsOfUtc(timebase, run, us) + ROUNDING_TICKS);

function formatOf(video: VideoFormat | null, program: Program | null): string {
  const { codec, width, height, chroma, bitDepth, interlaced } = video ?? {};
  const streams = program?.streams.map(({ pid, streamType, kind }) => [pid, streamType, kind]);
  return JSON.stringify([
    codec,
    width,
    height,
    chroma,
    bitDepth,
    interlaced,
    program?.number,
    program?.pmtPid,
    streams,
  ]);
}

/**
 * Selects the key frame before the first one after In. Searching for the last one at or before In would be wrong, since
 * within a run the clock may go back by less than a second.
 */
function growingPieces(
  { sensorId, files }: RecordedSensor,
  segmentsOf: PlanDeps['segments'],
  [inUs, outUs]: AskedSpan,
): Piece[] {
  return files.flatMap(({ fileId, sha256 }) => {
    const runs: RecordedSegment[][] = [];
    for (const segment of segmentsOf(fileId)) {
      if (segment === undefined) continue;
      const run = segment.discontinuity ? undefined : runs.at(-1);
      if (run) run.push(segment);
      else runs.push([segment]);
    }
    const places = runPlaces(runs.flatMap((run, number) => run.map((segment) => ({ ...segment, run: number }))));
    return runs.flatMap((run, number): Piece[] => {
      const last = run.at(-1)!;
      const aUs = Math.max(inUs, run[0]!.startUs);
      const endUs = last.startUs + last.durationSeconds * 1e6;
      const bUs = Math.min(outUs, endUs);
      const key = run.findLast(({ startUs }) => startUs <= aUs);
      if (key === undefined || !(aUs < bUs)) return [];
      const place = places.get(number)!;
      const endsAbout = run.find(({ startUs }) => startUs >= bUs)?.offset ?? place.limit;
      return [
        {
          ...{
            fileId,
            fileName: `${fileId}.ts`,
            key: originalKey(sensorId, fileId),
            sha256: sha256 ?? null,
            converted: false,
            run: number,
            place,
            complete: { start: aUs === run[0]!.startUs, end: bUs === endUs },
          },
          ...{
            packeting: { packetSize: PACKET_SIZE, syncOffset: 0 },
            program: null,
            format: 'live',
            mark: null,
            isMarked: false,
            keyPts: null,
          },
          ...{ offset: key.offset, endsAbout },
          askedTicks: Math.round((aUs - key.startUs) * TICKS_PER_US),
          lengthTicks: Math.round((bUs - key.startUs) * TICKS_PER_US),
          utcOf: (ticks) => Math.round(key.startUs + ticks / TICKS_PER_US),
        },
      ];
    });
  });
}
