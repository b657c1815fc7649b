import {
  type AccessUnit,
  createDemuxer,
  createSegmentMap,
  type DemuxReport,
  detectPacketing,
  type KlvPayload,
  type Packeting,
  type Program,
  readAhead,
  type Segment,
  type SegmentMap,
  type SegmentMapBuilder,
  type VideoFormat,
} from '@osprey/mpegts';
import type { StoredFile } from '../storage/storage.ts';
import type { Directory } from '../telemetry/format.ts';
import { createTelemetryWriter, type TagStatistics } from '../telemetry/writer.ts';
import { createKlvIntake, type KlvSurvey } from './klv-intake.ts';

const HEAD_BYTES = 64 * 1024;

const videoKinds = ['h264', 'h265', 'mpeg2'];
const isVideo = ({ kind }: { kind: string }): boolean => videoKinds.includes(kind);
const isKlv = ({ kind }: { kind: string }): boolean => kind === 'klvAsync' || kind === 'klvSync';

/** All that one reading of a transport stream tells, beside the telemetry index it wrote. */
export type StreamSurvey = {
  packeting: Packeting | null;
  report: DemuxReport;
  /** The one program that is taken; null when there is none. */
  program: Program | null;
  video: VideoFormat | null;
  /** Null without a picture. */
  segments: SegmentMap | null;
  klv: KlvSurvey;
  records: number;
  directory: Directory;
  tags: TagStatistics[];
};

export type StreamPassOptions = {
  nowUs: () => number;
  /** Takes the bytes of the telemetry index, which are the caller's from then on. Called while `push` and `finish` run. */
  write: (bytes: Uint8Array) => void;
  /** A security mark above all before it. */
  onMark: (rank: number) => void;
};

/** A transport stream that comes in pieces of any size, of which nothing is kept. */
export type StreamPass = {
  push(bytes: Uint8Array): void;
  /** Segments from number `from` on that lie whole in what came; see the segment map. */
  closed(from: number): Segment[];
  /** No more will come. */
  finish(): StreamSurvey;
};

/** Takes a transport stream as it comes, in constant memory. Faults of the stream are counted. */
export function createStreamPass(options: StreamPassOptions): StreamPass {
  const listeners = createListeners(options);
  const demuxer = createDemuxer(listeners.handlers);
  let head: Uint8Array | null = new Uint8Array(HEAD_BYTES);
  let headLength = 0;
  let packeting: Packeting | null = null;

  function push(bytes: Uint8Array): void {
    if (head) lookAt(head, bytes);
    demuxer.push(bytes);
  }

  function lookAt(first: Uint8Array, bytes: Uint8Array): void {
    const part = bytes.subarray(0, HEAD_BYTES - headLength);
    first.set(part, headLength);
    headLength += part.length;
    if (headLength === HEAD_BYTES) detect();
  }

  function detect(): void {
    if (head) packeting = detectPacketing(head.subarray(0, headLength));
    head = null;
  }

  return {
    push,
    closed: listeners.closed,
    finish() {
      detect();
      return listeners.finish(demuxer.end(), packeting);
    },
  };
}

export type ReadStreamOptions = {
  source: StoredFile;
  /** Takes the bytes of the telemetry index; awaited after each step, so that they do not pile up. */
  writeIndex: (bytes: Uint8Array) => Promise<void>;
  nowUs: number;
  /** A security mark above all before it. Awaited before the pass goes on. */
  onMark?: (rank: number) => Promise<void>;
  /** Bytes read so far. */
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal;
};

/** Reads a stored transport stream once from beginning to end. */
export async function readStream(options: ReadStreamOptions): Promise<StreamSurvey> {
  const { source, writeIndex, onProgress, signal } = options;
  const pending: Uint8Array[] = [];
  const marks: number[] = [];
  const pass = createStreamPass({
    nowUs: () => options.nowUs,
    write: (bytes) => pending.push(bytes),
    onMark: (rank) => marks.push(rank),
  });

  let writing = Promise.resolve();
  /** The index is written while the next step is worked on; no more than two steps of it wait. */
  const settle = async () => {
    for (const rank of marks.splice(0)) await options.onMark?.(rank);
    await writing;
    if (pending.length === 0) return;
    writing = writeIndex(pending.length === 1 ? pending[0]! : Buffer.concat(pending));
    writing.catch(() => {});
    pending.length = 0;
  };

  for await (const { bytes, position } of readAhead(source)) {
    signal?.throwIfAborted();
    pass.push(bytes);
    await settle();
    onProgress?.(position);
  }
  const survey = pass.finish();
  await settle();
  await writing;
  return survey;
}

/** What listens to the demuxer: one program's video goes into the segment map, its KLV into the telemetry index. */
function createListeners({ nowUs, write, onMark }: StreamPassOptions) {
  const telemetry = createTelemetryWriter({ write });
  const intake = createKlvIntake({ nowUs, keep: telemetry.add, onMark });
  let chosen: Program | null = null;
  let videoPid = -1;
  let map: SegmentMapBuilder | null = null;
  let video: VideoFormat | null = null;
  let videoTicks: number | null = null;

  /** The first program with video; until one comes, the first with anything. */
  function program(announced: Program): void {
    const better = chosen === null || (!chosen.streams.some(isVideo) && announced.streams.some(isVideo));
    if (!better && announced.number !== chosen?.number) return;
    chosen = chosen?.number === announced.number ? merged(chosen, announced) : copied(announced);
    const stream = chosen.streams.find(isVideo);
    if (stream === undefined || map !== null) return;
    videoPid = stream.pid;
    map = createSegmentMap({ videoPid, programNumber: chosen.number });
  }

  function accessUnit(unit: AccessUnit): void {
    if (unit.pid !== videoPid) return;
    map?.add(unit);
    videoTicks = unit.ptsTicks ?? videoTicks;
  }

  function klv(payload: KlvPayload): void {
    if (payload.programNumber === chosen?.number) intake.add(payload, videoTicks);
  }

  return {
    handlers: {
      program,
      accessUnit,
      klv,
      video: (pid: number, format: VideoFormat) => {
        if (pid === videoPid) video = { ...format };
      },
    },
    closed: (from: number) => map?.closed(from) ?? [],
    finish(report: DemuxReport, packeting: Packeting | null): StreamSurvey {
      const segments = map?.finish(report.bytes, report) ?? null;
      const { tags, directory } = telemetry.finish();
      return {
        packeting,
        report,
        program: chosen,
        video,
        segments: segments && segments.segments.length > 0 ? segments : null,
        klv: intake.finish(),
        records: telemetry.records(),
        directory,
        tags,
      };
    },
  };
}

const copied = (program: Program): Program => ({
  ...program,
  streams: program.streams.map((stream) => ({ ...stream })),
});

/** A later version of the map: streams that moved are known under both PIDs. */
function merged(known: Program, announced: Program): Program {
  const gone = known.streams.filter(({ pid }) => !announced.streams.some((stream) => stream.pid === pid));
  const next = copied(announced);
  return { ...next, streams: [...next.streams, ...gone] };
}

/** Whether a program holds anything that a sensor is made of. */
export const isUsable = (program: Program): boolean =>
  program.streams.some((stream) => isVideo(stream) || isKlv(stream));
