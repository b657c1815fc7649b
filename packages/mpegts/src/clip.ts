import { PID_COUNT, packetPid, readPcr } from './packet.ts';
import { createPacketFilter, keptStreams } from './packet-filter.ts';
import { createPacketWriter } from './packet-writer.ts';
import type { Packeting } from './packeting.ts';
import type { SegmentMap } from './segment-map.ts';
import { patSection, pmtSection } from './table-writer.ts';
import type { Program } from './types.ts';

/** The span of a clip and what is known of the original. */
export type ClipOptions = {
  map: SegmentMap;
  packeting: Pick<Packeting, 'packetSize' | 'syncOffset'>;
  program: Program;
  /** A span within one run of the clock, in its unwrapped ticks. */
  run: number;
  startTicks: number;
  endTicks: number;
};

/** A clip: which bytes of the original it needs, and the cutter they go through. */
export type Clip = {
  /** Read [offset, offset + readBytes) of the original, or as much as there is, and push it. */
  offset: number;
  readBytes: number;
  /** The span that comes out: from a keyframe to the next keyframe after the end, or the end of the run. */
  startTicks: number;
  endTicks: number;
  /** Gives packets that are valid until the next call. */
  push(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
  /** Nothing that is still to be read belongs to the clip. */
  isDone(): boolean;
};

/** PES packets that are open at the end of the clip end within so many bytes, or are cut. */
const TAIL = 1024 * 1024;
/** 27 MHz ticks: PAT and PMT come again after so much (100 ms). */
const TABLE_EVERY = 2_700_000;

/**
 * Cuts a clip without coding anything anew: video, sound and KLV between two keyframes, with tables in front and
 * every 100 ms. Each stream begins with its first PES packet inside the clip and ends with a whole one.
 *
 * @throws RangeError when the span is empty or does not touch the run.
 */
export function cutClip({ map, packeting, program, run, startTicks, endTicks }: ClipOptions): Clip {
  const range = findRange(map, run, startTicks, endTicks);
  const packets = createPacketWriter();
  const filter = createPacketFilter({ packeting, program, onPacket });
  const pat = patSection(program.number, program.pmtPid);
  const pmt = pmtSection({ ...program, streams: keptStreams(program) });
  const open = new Uint8Array(PID_COUNT);
  const unfinished = new Set(keptStreams(program).map(({ pid }) => pid));
  let tablesAt = Number.NEGATIVE_INFINITY;

  function onPacket(bytes: Uint8Array, at: number, offset: number) {
    const pid = packetPid(bytes, at);
    const isStart = (bytes[at + 1]! & 0x40) !== 0;
    const isBehind = offset >= range.sizeBytes;
    if (isBehind && isStart) unfinished.delete(pid);
    if (isBehind && !(open[pid] === 1 && unfinished.has(pid))) return;
    const pcr = clockOf(bytes, at);
    if (!isBehind && (tablesAt < 0 || (pcr !== null && Math.abs(pcr - tablesAt) >= TABLE_EVERY))) {
      packets.section(0, pat);
      packets.section(program.pmtPid, pmt);
      tablesAt = pcr ?? Math.max(0, tablesAt);
    }
    if (isStart) open[pid] = 1;
    // A PID that only carries the clock has no units.
    if (open[pid] === 1 || (pid === program.pcrPid && pcr !== null && !unfinished.has(pid))) packets.copy(bytes, at);
  }

  function push(bytes: Uint8Array): Uint8Array {
    filter.push(bytes);
    return packets.take();
  }

  function end(): Uint8Array {
    filter.end();
    return packets.take();
  }

  return {
    offset: range.offset,
    readBytes: range.sizeBytes + TAIL,
    startTicks: range.startTicks,
    endTicks: range.endTicks,
    push,
    end,
    isDone: () => unfinished.size === 0,
  };
}

function clockOf(bytes: Uint8Array, at: number): number | null {
  const hasClock = (bytes[at + 3]! & 0x20) !== 0 && bytes[at + 4]! >= 7 && (bytes[at + 5]! & 0x10) !== 0;
  return hasClock ? readPcr(bytes, at + 6) : null;
}

/** The bytes from the last keyframe before the start to the first after the end. */
function findRange(map: SegmentMap, run: number, startTicks: number, endTicks: number) {
  const keyframes = map.keyframes.filter((keyframe) => keyframe.run === run);
  const segments = map.segments.filter((segment) => segment.run === run);
  const last = segments.at(-1);
  const clock = map.runs.find((candidate) => candidate.run === run);
  const runEnd = clock ? clock.lastPts + clock.lastDurationTicks : 0;
  if (!(startTicks < endTicks) || !clock || !last || endTicks <= clock.firstPts || startTicks >= runEnd) {
    throw new RangeError('The clip lies outside the recording');
  }
  const first = keyframes.findLast(({ ptsTicks }) => ptsTicks <= startTicks) ?? keyframes[0];
  if (!first) throw new RangeError('The recording has no keyframe to begin the clip with');
  const next = keyframes.find(({ ptsTicks, offset }) => ptsTicks >= endTicks && offset > first.offset);
  const end = next?.offset ?? last.offset + last.sizeBytes;
  return {
    offset: first.offset,
    sizeBytes: end - first.offset,
    startTicks: first.ptsTicks,
    endTicks: next?.ptsTicks ?? runEnd,
  };
}
