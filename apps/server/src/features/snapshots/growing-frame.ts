import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { decodePacket, packets } from '@osprey/klv';
import { createDemuxer, createSegmentCutter, leadingVideo, type Program, TICKS_PER_SECOND } from '@osprey/mpegts';
import { DecoderError, type Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import { originalKey } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { RecordedSegment, RecordedSensor } from '../../recorder-wire/protocol.ts';
import type { FrameTelemetry } from './telemetry-at.ts';

/** A frame of a running recording, decoded from its file. */
export type GrowingFrame = { picture: Buffer; timeUs: number; telemetry: FrameTelemetry | null };

export type GrowingFrameDeps = {
  storage: Pick<Storage, 'read'>;
  ffmpeg: () => Promise<Pick<Ffmpeg, 'available' | 'frameAt'>>;
  /** Returns a sensor that is being recorded now, with its files so far; null if it is not being recorded. */
  recording: (sensorId: string) => RecordedSensor | null;
  segments: (fileId: string) => readonly RecordedSegment[];
  /** Interval between two checks for a segment, and total waiting time, in milliseconds. */
  timing?: { look: number; wait: number };
};

/**
 * Default waiting times. The displayed picture often belongs to the segment that is still being written; groups of
 * pictures rarely last longer than `wait`.
 */
const TIMING = { look: 200, wait: 5000 };
/** Maximum size of a segment that is read for one picture. */
const SEGMENT_MAX_BYTES = 64 * 1024 * 1024;
/** Tolerance between the clocks of a live player and of the recorder; shorter than any picture. */
const SLACK_TICKS = 90;
const TICKS_PER_US = TICKS_PER_SECOND / 1e6;
const WRAP = 2 ** 33;

/**
 * Decodes the frame that a sensor showed at a UTC time in microseconds from the running recording, with the latest
 * telemetry set before it. Null if the sensor is not being recorded, the time is not in the recording, or no decoder
 * can read the frame.
 */
export async function growingFrame(
  deps: GrowingFrameDeps,
  sensorId: string,
  timeUs: number,
): Promise<GrowingFrame | null> {
  const found = await segmentAt(deps, sensorId, timeUs);
  const ffmpeg = found && (await deps.ffmpeg());
  if (found === null || !ffmpeg?.available()) return null;
  const { fileId, segment, next } = found;
  const end = next ? next.offset + next.sizeBytes : segment.offset + segment.sizeBytes;
  if (end - segment.offset > SEGMENT_MAX_BYTES) return null;
  const chunks: Buffer[] = [];
  const range = { start: segment.offset, end };
  for await (const chunk of deps.storage.read(originalKey(sensorId, fileId), range)) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);

  const picture = pictureIn(bytes, (timeUs - segment.startUs) * TICKS_PER_US + SLACK_TICKS);
  if (picture === null) return null;
  const { program, pts, afterTicks, telemetry } = picture;
  const cutter = createSegmentCutter({ packeting: { packetSize: 188, syncOffset: 0 }, program });
  const source = Readable.from([Buffer.from(cutter.push(bytes)), Buffer.from(cutter.end())]);
  try {
    const decoded = await ffmpeg.frameAt({ source, pts: ((pts % WRAP) + WRAP) % WRAP });
    return { picture: decoded, timeUs: segment.startUs + Math.ceil(afterTicks / TICKS_PER_US), telemetry };
  } catch (error) {
    if (error instanceof DecoderError) return null;
    throw error;
  }
}

type Found = { fileId: string; segment: RecordedSegment; next: RecordedSegment | undefined };

/** Returns the segment that contains a time, waiting until it is complete; null if none will contain it. */
async function segmentAt(deps: GrowingFrameDeps, sensorId: string, timeUs: number): Promise<Found | null> {
  const { look, wait } = deps.timing ?? TIMING;
  for (let waited = 0; ; waited += look) {
    const sensor = deps.recording(sensorId);
    if (sensor === null) return null;
    let isBeforeEnd = false;
    for (const { fileId } of sensor.files) {
      const segments = deps.segments(fileId).filter((one) => one !== undefined);
      const at = segments.findIndex(({ startUs, durationSeconds }) => {
        return startUs <= timeUs && timeUs < startUs + durationSeconds * 1e6;
      });
      if (at >= 0) return { fileId, segment: segments[at]!, next: following(segments, at) };
      const last = segments.at(-1);
      isBeforeEnd ||= last !== undefined && timeUs < last.startUs;
    }
    if (isBeforeEnd || waited >= wait) return null;
    await pause(look);
  }
}

/**
 * Returns the segment after this one, unless there is a discontinuity: pictures displayed before its key frame may be
 * stored after the key frame.
 */
const following = (segments: readonly RecordedSegment[], at: number): RecordedSegment | undefined =>
  segments[at + 1]?.discontinuity === false ? segments[at + 1] : undefined;

type Picture = { program: Program; pts: number; afterTicks: number; telemetry: FrameTelemetry | null };

/**
 * Returns the last picture that begins at most `requestedTicks` after the first one, and the last telemetry set before
 * it.
 */
function pictureIn(bytes: Uint8Array, requestedTicks: number): Picture | null {
  let program: Program | null = null;
  let first: number | null = null;
  let pts = Number.NEGATIVE_INFINITY;
  const sets: { ticks: number; bytes: Buffer }[] = [];
  const demuxer = createDemuxer({
    program(next) {
      if (leadingVideo(next.streams, null) !== null) program ??= next;
    },
    accessUnit({ pid, ptsTicks }) {
      const lead = program && leadingVideo(program.streams, null);
      if (lead?.pid !== pid || ptsTicks === null) return;
      first ??= ptsTicks;
      if (ptsTicks - first <= requestedTicks && ptsTicks > pts) pts = ptsTicks;
    },
    klv({ nearTicks, bytes: own, start, end }) {
      if (nearTicks === null) return;
      for (const one of packets(own, start, end)) {
        sets.push({ ticks: nearTicks, bytes: Buffer.from(own.slice(one.start, one.end)) });
      }
    },
  });
  demuxer.push(bytes);
  demuxer.end();
  if (program === null || first === null || !Number.isFinite(pts)) return null;
  const before = sets.filter(({ ticks }) => ticks <= pts).map((one) => telemetryOf(one.bytes));
  const telemetry = before.findLast((one) => one !== null) ?? null;
  return { program, pts, afterTicks: pts - first, telemetry };
}

/** Decodes a telemetry set; null if it is no complete ST 0601 set with a time. */
function telemetryOf(bytes: Buffer): FrameTelemetry | null {
  try {
    const { standard, checksum, values } = decodePacket(bytes, 0, bytes.length);
    const time = values['2'];
    if (standard !== 'st0601' || checksum === 'bad' || typeof time !== 'number') return null;
    const retained: FrameTelemetry['values'] = {};
    for (const [tag, value] of Object.entries(values)) {
      if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) retained[tag] = value;
    }
    return { time: Math.round(time), values: retained, hex: bytes.toString('hex') };
  } catch (error) {
    if (error instanceof Error && error.name === 'FormatError') return null;
    throw error;
  }
}
