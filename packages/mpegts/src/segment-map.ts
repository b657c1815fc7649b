import { createPictureRate } from './picture-rate.ts';
import { TICKS_PER_SECOND } from './timeline.ts';
import type { AccessUnit, DemuxReport, TablePlace } from './types.ts';

/** A piece of the stream that begins at a key frame or at a clock jump. */
export type Segment = { offset: number; sizeBytes: number; startTicks: number; durationTicks: number; run: number };

/** A run of the clock, with times in its unwrapped ticks. */
export type Run = { run: number; firstPts: number; lastPts: number; lastDurationTicks: number; firstDts: number };

/** Byte ranges and playing times of the segments of a stream; times are unwrapped 90 kHz ticks. */
export type SegmentMap = {
  /** Contiguous byte ranges. The first one begins at 0, so that it includes the tables before the first picture. */
  segments: Segment[];
  keyframes: { offset: number; ptsTicks: number; run: number }[];
  runs: Run[];
  /** Number of pictures, including those without a time. */
  frames: number;
  /** Number of pictures per second, according to their times; null if fewer than two have a time. */
  frameRate: number | null;
  /** Whether a player can play the byte ranges unchanged. */
  rangesPlayable: boolean;
  /** Reasons why the ranges cannot be played, as whole sentences. */
  reasons: string[];
  /**
   * Number of gaps in the packets of the video. The ranges can still be played, but the decoder of a browser stops at
   * the first truncated picture, so a cutter must omit such pictures.
   */
  gaps: number;
  /** Whether there are too few key frames: seeking would wait forever, or would load minutes of the stream. */
  startsSeldom: boolean;
};

/** The video stream and the program for which the map is made. */
export type SegmentMapOptions = {
  videoPid: number;
  programNumber: number;
  /**
   * Minimum duration of a segment, apart from rounding of the clock: key frames are merged into one segment until it is
   * reached. Defaults to 2 s.
   */
  targetSeconds?: number;
};

/** Builds a map from consecutive access units; see `createSegmentMap`. */
export type SegmentMapBuilder = {
  /** Adds an access unit from the demuxer, in order; units of other streams are ignored. */
  add(unit: AccessUnit): void;
  /** Continues with another video stream: its first segment begins with the tables that announced it. */
  follow(video: Pick<SegmentMapOptions, 'videoPid' | 'programNumber'>, tables: TablePlace): void;
  /**
   * Returns the complete segments from number `from` on, for players of a growing stream. The final map has the same
   * segments, except that its last ones may be merged.
   */
  closed(from: number): Segment[];
  /**
   * Returns the map of a stream of this many bytes. With the demuxer's report, the map also states whether the ranges
   * can be played.
   */
  finish(bytes: number, report?: DemuxReport): SegmentMap;
};

/**
 * Fraction of the target length that is accepted, since a rounded clock may put key frames slightly too close together.
 */
const TARGET_SHARE_MIN = 0.975;

/**
 * Number of segments that begin with a gradual refresh from which on the encoder is assumed to work that way; browsers
 * drop the pictures of such segments after a seek.
 */
const GRADUAL_SEGMENTS = 2;
/**
 * Maximum length of a segment in ticks. When seeking into a longer one, minutes of the stream are loaded and decoded
 * before the first picture is shown.
 */
const SEGMENT_MAX = 120 * TICKS_PER_SECOND;

/** Duration in ticks assumed for a single picture. */
const DEFAULT_DURATION = TICKS_PER_SECOND / 30;

/** Maximum number of key frames and of runs, more than any recording has; later pictures belong to the last segment. */
const KEYFRAME_LIMIT = 4_000_000;
const RUN_LIMIT = 100_000;

type Mark = { offset: number; startTicks: number; run: number; gradual: boolean; patCount: number; pmtCount: number };
type RunState = Omit<Run, 'lastDurationTicks'> & { lastDts: number; steps: number };

/** Builds the map of one video stream while the stream is being read. */
export function createSegmentMap(options: SegmentMapOptions): SegmentMapBuilder {
  const { targetSeconds = 2 } = options;
  let { videoPid, programNumber } = options;
  const videoPids = new Set([videoPid]);
  const targetTicks = targetSeconds * TICKS_PER_SECOND;
  const keyframes: SegmentMap['keyframes'] = [];
  const marks: Mark[] = [];
  const runs: RunState[] = [];
  const rate = createPictureRate();
  let frames = 0;
  /** Offset of the last picture. */
  let lastOffset = -1;
  /** Offsets of the tables that announced a video that has just been followed; null otherwise. */
  let tables: TablePlace | null = null;

  function follow(video: Pick<SegmentMapOptions, 'videoPid' | 'programNumber'>, place: TablePlace) {
    ({ videoPid, programNumber } = video);
    videoPids.add(videoPid);
    tables = place;
  }

  function add(unit: AccessUnit) {
    if (unit.pid !== videoPid || unit.programNumber !== programNumber) return;
    frames++;
    if (tables === null) lastOffset = unit.offset;
    if (unit.ptsTicks === null || unit.dtsTicks === null) return;
    if (keyframes.length >= KEYFRAME_LIMIT || runs.length >= RUN_LIMIT) return;
    const run = runs.at(-1);
    const isNewRun = run?.run !== unit.run;
    if (isNewRun) {
      rate.restart();
      runs.push(newRun(unit.run, unit.ptsTicks, unit.dtsTicks));
    } else {
      tables = null;
      extendRun(run, unit.ptsTicks, unit.dtsTicks);
    }
    rate.add(unit.ptsTicks);
    if (unit.keyframe) keyframes.push({ offset: unit.offset, ptsTicks: unit.ptsTicks, run: unit.run });
    const isDue = unit.keyframe && unit.ptsTicks - (marks.at(-1)?.startTicks ?? 0) >= TARGET_SHARE_MIN * targetTicks;
    if (!isNewRun && !isDue) return;
    marks.push({ ...startOf(unit), startTicks: unit.ptsTicks, run: unit.run, gradual: unit.gradual });
    tables = null;
    lastOffset = unit.offset;
  }

  /**
   * Returns the start of a segment. If another video has just been announced, this is the start of the tables that
   * announced it. Tables that come before the last picture of the previous video belong to the segment of that picture.
   */
  function startOf({ offset, patCount, pmtCount }: AccessUnit): Pick<Mark, 'offset' | 'patCount' | 'pmtCount'> {
    if (tables === null || tables.pmtOffset <= lastOffset) return { offset, patCount, pmtCount };
    const { patOffset, pmtOffset } = tables;
    if (patOffset > pmtOffset || patOffset <= lastOffset)
      return { offset: pmtOffset, patCount, pmtCount: pmtCount - 1 };
    return { offset: patOffset, patCount: patCount - 1, pmtCount: pmtCount - 1 };
  }

  function finish(bytes: number, report?: DemuxReport): SegmentMap {
    joinShortEnd();
    const finished = runs.map(toRun);
    const reasons = report ? reasonsAgainstRanges(report) : [];
    if (report && !hasTablesEverywhere(report)) reasons.push('Program tables come too seldom for every segment.');
    const segments = toSegments(bytes, finished);
    return {
      segments,
      keyframes,
      runs: finished,
      frames,
      frameRate: rate.perSecond(),
      rangesPlayable: reasons.length === 0,
      reasons,
      gaps: gapsIn(report),
      startsSeldom:
        marks.filter(({ gradual }) => gradual).length >= GRADUAL_SEGMENTS ||
        segments.some(({ durationTicks }) => durationTicks > SEGMENT_MAX),
    };
  }

  function gapsIn(report: DemuxReport | undefined): number {
    const own = report?.pids.filter(({ pid }) => videoPids.has(pid)) ?? [];
    return own.reduce((sum, { continuityErrors }) => sum + continuityErrors, 0);
  }

  /** Merges a short last segment, which has only a few pictures, with the previous one, since this plays better. */
  function joinShortEnd() {
    const last = marks.at(-1);
    const run = runs.at(-1);
    if (!last || !run || marks.at(-2)?.run !== last.run) return;
    if (toRun(run).lastPts - last.startTicks < targetTicks / 2) marks.pop();
  }

  function toSegments(bytes: number, finished: Run[]): Segment[] {
    const byNumber = new Map(finished.map((run) => [run.run, run]));
    return marks.map((_, i) => toSegment(i, bytes, byNumber.get(marks[i]!.run)!));
  }

  function toSegment(i: number, bytes: number, run: Run): Segment {
    const mark = marks[i]!;
    const next = marks[i + 1];
    const offset = i === 0 ? 0 : mark.offset;
    const end = next?.run === mark.run ? next.startTicks : run.lastPts + run.lastDurationTicks;
    return {
      offset,
      sizeBytes: (next?.offset ?? bytes) - offset,
      startTicks: mark.startTicks,
      durationTicks: end - mark.startTicks,
      run: mark.run,
    };
  }

  function closed(from: number): Segment[] {
    const segments: Segment[] = [];
    for (let i = from; i + 1 < marks.length; i++) {
      const run = runs.findLast(({ run }) => run === marks[i]!.run)!;
      segments.push(toSegment(i, marks[i + 1]!.offset, toRun(run)));
    }
    return segments;
  }

  /** Whether each segment contains a PAT and a PMT, so that it can be played without the previous ones. */
  function hasTablesEverywhere(report: DemuxReport): boolean {
    const end = report.tables.find((table) => table.programNumber === programNumber);
    return marks.every((mark, i) => {
      const next = marks[i + 1] ?? end;
      return i === 0 || (next !== undefined && next.patCount > mark.patCount && next.pmtCount > mark.pmtCount);
    });
  }

  return { add, follow, closed, finish };
}

function newRun(run: number, pts: number, dts: number): RunState {
  return { run, firstPts: pts, lastPts: pts, firstDts: dts, lastDts: dts, steps: 0 };
}

function extendRun(run: RunState, pts: number, dts: number) {
  if (pts < run.firstPts) run.firstPts = pts;
  if (pts > run.lastPts) run.lastPts = pts;
  if (dts > run.lastDts) run.lastDts = dts;
  run.steps++;
}

/** Returns the run, with the mean duration of the previous pictures as that of its last one. */
function toRun({ run, firstPts, lastPts, firstDts, lastDts, steps }: RunState): Run {
  const lastDurationTicks = steps > 0 ? Math.round((lastDts - firstDts) / steps) : DEFAULT_DURATION;
  return { run, firstPts, lastPts, lastDurationTicks, firstDts };
}

/** Lists properties of the stored bytes that an HLS player cannot handle. */
function reasonsAgainstRanges(report: DemuxReport): string[] {
  const { faults } = report;
  const reasons: string[] = [];
  if (report.packetSize !== 188) reasons.push(`Packets have ${report.packetSize} bytes instead of 188.`);
  if (report.programs.length > 1) reasons.push(`The stream holds ${report.programs.length} programs.`);
  if (!report.patSeen) reasons.push('The program association table is missing.');
  if (faults.duplicates > 0) reasons.push(`${faults.duplicates} packets are repeated.`);
  if (faults.skippedBytes > 0) reasons.push(`${faults.skippedBytes} bytes lie between packets.`);
  if (faults.transportErrors > 0) reasons.push(`${faults.transportErrors} packets are marked as damaged.`);
  if (faults.brokenPackets > 0) reasons.push(`${faults.brokenPackets} packets have a damaged header.`);
  return reasons;
}
