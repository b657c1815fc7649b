import {
  type AccessUnit,
  createDemuxer,
  type Demuxer,
  type DemuxReport,
  type KlvPayload,
  type Packeting,
  type Program,
  readAhead,
  type Segment,
  type TablePlace,
} from '@osprey/mpegts';
import type { StoredFile } from '../../base/storage/storage.ts';
import type { Directory } from '../../telemetry/format.ts';
import { createTelemetryWriter, type TagStatistics } from '../../telemetry/writer.ts';
import { createKlvReader } from './klv-reader.ts';
import type { KlvSurvey, RequestedKlv } from './klv-survey.ts';
import { createMarkSpans, type MarkSpans } from './mark-spans.ts';
import { createPictureClock, type PictureClock } from './picture-clock.ts';
import { createShownProgram, isShownKlv, type ShownProgram, shownKlv } from './shown-program.ts';
import { createAisSurvey, type StreamAis } from './stream-ais.ts';

/** Findings of one pass over a transport stream, besides the telemetry index that it wrote. */
export type StreamSurvey = ShownProgram & {
  packeting: Packeting | null;
  report: DemuxReport;
  klv: KlvSurvey;
  /** Places of the security marks; null if there are none, or if they differ from each other. */
  markSpans: MarkSpans | null;
  pictureClock: PictureClock | null;
  records: number;
  directory: Directory;
  tags: TagStatistics[];
  /** Private data streams with AIS sentences. */
  ais: StreamAis[];
};

export type StreamPassOptions = {
  nowUs: () => number;
  /** Receives bytes of the telemetry index; the caller then owns the buffer. Called during `push` and `finish`. */
  write: (bytes: Uint8Array) => void;
  /** Called for each security mark above all earlier ones. */
  onMark: (rank: number) => void;
  /** The KLV stream to show; null or absent for the automatic choice. */
  requested?: RequestedKlv | null;
  /** KLV streams that must not supply items. */
  apart?: readonly number[];
  /** PID of the video to show; null or absent for the first one. */
  videoPid?: number | null;
};

/** Reads a transport stream that arrives in pieces of any size, without keeping its bytes. */
export type StreamPass = {
  push(bytes: Uint8Array): void;
  /** Returns the segments completed so far, from number `from` on; see the segment map. */
  closed(from: number): Segment[];
  /** Ends the pass; no more bytes will come. */
  finish(): StreamSurvey;
};

/** Processes a transport stream as it arrives, in constant memory. Faults of the stream are counted. */
export function createStreamPass(options: StreamPassOptions): StreamPass {
  const listeners = createListeners(options, () => demuxer.report().programs);
  const demuxer: Demuxer = createDemuxer(listeners.handlers);

  return {
    push: demuxer.push,
    closed: listeners.closed,
    finish() {
      const report = demuxer.end();
      return listeners.finish(report, demuxer.packeting());
    },
  };
}

export type ReadStreamOptions = {
  source: StoredFile;
  /** Writes bytes of the telemetry index; awaited after each step, so that they do not accumulate in memory. */
  writeIndex: (bytes: Uint8Array) => Promise<void>;
  nowUs: number;
  /** Called for each security mark above all earlier ones, and awaited before the pass continues. */
  onMark?: (rank: number) => Promise<void>;
  /** Receives the number of bytes read so far. */
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal;
  requested?: RequestedKlv | null;
  apart?: readonly number[];
  videoPid?: number | null;
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
    requested: options.requested ?? null,
    apart: options.apart ?? [],
    videoPid: options.videoPid ?? null,
  });

  let writing = Promise.resolve();
  /**
   * Starts writing the index of one step, so that it is written while the next step is read. Awaits the previous write,
   * so that at most two steps are in memory.
   */
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

/**
 * Creates the listeners of the demuxer: the video of one program goes into the segment map, its KLV into the telemetry
 * index.
 */
function createListeners(
  { nowUs, write, onMark, requested = null, apart = [], videoPid = null }: StreamPassOptions,
  programs: () => readonly Program[],
) {
  const telemetry = createTelemetryWriter({ write });
  const markSpans = createMarkSpans();
  const klvReader = createKlvReader({
    ...{ nowUs, keep: telemetry.add, onMark, requested, apart },
    onSecuritySet(said, { programNumber, ptsTicks, nearTicks, run }, lastPicture) {
      // Programs have clocks of their own.
      if (programNumber !== shown.number()) markSpans.spoil();
      else markSpans.add(said, { run, ticks: ptsTicks ?? nearTicks, videoTicks: lastPicture });
    },
  });
  const shown = createShownProgram(programs, videoPid);
  const pictureClock = createPictureClock({ nowUs });
  const ais = createAisSurvey();
  let klv = shownKlv(null, []);
  let videoTicks: number | null = null;
  let videoRun = 0;

  const isOurs = (payload: KlvPayload): boolean =>
    isShownKlv(payload, klv, { program: shown.number(), ticks: videoTicks, run: videoRun });

  return {
    handlers: {
      program(announced: Program, place: TablePlace): void {
        shown.announced(announced, place);
        klv = shown.klv();
        klvReader.listed(klv.pids, klv.assigned);
      },
      accessUnit(unit: AccessUnit): void {
        if (!shown.accessUnit(unit)) return;
        videoTicks = unit.ptsTicks ?? videoTicks;
        videoRun = unit.run;
        markSpans.picture(unit.ptsTicks, unit.dtsTicks);
        pictureClock.add(unit);
      },
      klv(payload: KlvPayload): void {
        if (isOurs(payload)) klvReader.add(payload, videoTicks);
        else markSpans.spoil();
      },
      text: ais.text,
      video: shown.format,
    },
    closed: shown.closed,
    finish(report: DemuxReport, packeting: Packeting | null): StreamSurvey {
      const klv = klvReader.finish();
      const { tags, directory } = telemetry.finish();
      const video = shown.finish(report);
      if (video.moves.length > 0 || video.otherVideos.length > 0) markSpans.spoil();
      return {
        ...{ ...video, packeting, report, klv, records: telemetry.records(), directory, tags },
        ...{ markSpans: markSpans.finish(), pictureClock: pictureClock.finish(), ais: ais.finish() },
      };
    },
  };
}
