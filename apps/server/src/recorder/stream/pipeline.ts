import {
  type AccessUnit,
  createDemuxer,
  type DemuxFault,
  type KlvPayload,
  PACKET_SIZE,
  type Program,
  type StreamKind,
  type TextPayload,
  type VideoFormat,
} from '@osprey/mpegts';
import { isShownKlv, type ShownKlv, shownKlv } from '../../media/index/shown-program.ts';
import { COMPLETE_PACKETS } from '../../recorder-wire/packeting.ts';
import type { KlvStreams } from '../../recorder-wire/protocol.ts';
import type { LiveUnit, StreamFacts } from '../components.ts';
import { type LiveKlvOut, liveKlv } from './live-klv.ts';
import { tableKeeper } from './tables.ts';

const SYNC_BYTE = 0x47;
/**
 * Maximum number of bytes held back until the first slice shows the type of a picture; nearly always this is in the
 * picture's first packet. A picture that needs more bytes is not reported.
 */
const PENDING_MAX = 256 * 1024;
/** Maximum number of bytes held back before the first program map; program maps arrive every 0.1 to 1 s. */
const EARLY_MAX = 1024 * 1024;

/** Callbacks of a pipeline, called in the order of the stream. */
export type PipelineOut = LiveKlvOut & {
  /** Called when the first program of the stream is found. The packets that arrived before are passed on afterwards. */
  online(facts: StreamFacts): void;
  unit(unit: LiveUnit, facts: StreamFacts): void;
  packets(bytes: Uint8Array, arrivalUs: number): void;
  /** Called with the text of a private data stream in which AIS sentences were found. */
  text?(payload: TextPayload, arrivalUs: number): void;
  changed(facts: StreamFacts): void;
};

export type Pipeline = {
  /** Takes complete packets; those that do not begin with a sync byte are left out and counted. */
  push(bytes: Uint8Array, arrivalUs: number): void;
  /** Passes on the packets that are held back, even if the type of a picture in them is not known yet. */
  flush(): void;
  /** Returns the facts of the stream; null before a program has been found. */
  facts(): StreamFacts | null;
  counts(): { continuityErrors: number; notPackets: number };
  /** Selects the KLV stream to show, if there are several; null: chosen by the rules. */
  wantKlv(pid: number | null): void;
  hasKlv(): boolean;
  /** Returns the KLV streams if there are several, otherwise null. */
  klvStreams(): KlvStreams | null;
};

/**
 * A place where a picture may begin. `begun` is null if no readable picture begins there, and undefined while this is
 * not known yet.
 */
type Start = { offset: number; begun: { unit: LiveUnit; facts: Facts } | null | undefined };
type Facts = StreamFacts & { form: string; picture: string | null };

const isVideo = ({ kind }: { kind: string }): boolean => ['h264', 'h265', 'mpeg2', 'mpeg4'].includes(kind);

/**
 * Reads one online stream. Reports each picture before the packets in which it begins, and passes on every packet once
 * and in order. Packets are held back while the type of a picture that starts in them is unknown.
 *
 * @param klvPid PID of the KLV stream that a user chose; null: chosen by the rules
 */
export function pipeline(out: PipelineOut, klvPid: number | null = null): Pipeline {
  const keeper = tableKeeper();
  const telemetry = liveKlv(out, klvPid);
  let klv: ShownKlv = shownKlv(null, []);
  let program: Program | null = null;
  let videoPid = -1;
  let videoKind: StreamKind | undefined;
  let video: VideoFormat | null = null;
  let current: Facts | null = null;
  let lastSent: Facts | null = null;
  let lastPts: number | null = null;
  let lastRun = 0;
  let continuityErrors = 0;
  let notPackets = 0;

  let chunk: Uint8Array = new Uint8Array(0);
  /** Offset of the first byte of `chunk` from the start of the stream. */
  let chunkAt = 0;
  let arrival = 0;
  const starts: Start[] = [];
  let pending = new Uint8Array(0);
  let pendingLength = 0;
  let pendingArrival = 0;

  const demuxer = createDemuxer(
    {
      ...{ program: onProgram, accessUnit: onUnit, klv: onKlv, video: onVideo, fault: onFault },
      text: (payload) => out.text?.(payload, arrival),
    },
    { packeting: COMPLETE_PACKETS },
  );

  function push(received: Uint8Array, arrivalUs: number): void {
    chunk = inSync(received);
    if (chunk.length === 0) return;
    arrival = arrivalUs;
    keepTables();
    noteStarts();
    demuxer.push(chunk);
    release();
    chunkAt += chunk.length;
  }

  function inSync(received: Uint8Array): Uint8Array {
    let good = 0;
    while (good < received.length && received[good] === SYNC_BYTE) good += PACKET_SIZE;
    if (good === received.length) return received;
    const retained: Uint8Array[] = [];
    for (let at = 0; at + PACKET_SIZE <= received.length; at += PACKET_SIZE) {
      if (received[at] === SYNC_BYTE) retained.push(received.subarray(at, at + PACKET_SIZE));
      else notPackets += 1;
    }
    return Buffer.concat(retained);
  }

  function keepTables(): void {
    for (let at = 0; at < chunk.length; at += PACKET_SIZE) {
      const pid = ((chunk[at + 1]! & 0x1f) << 8) | chunk[at + 2]!;
      if (keeper.requested[pid] === 0 || (chunk[at + 1]! & 0x80) !== 0) continue;
      keeper.packet(chunk, at, pid);
      current = null;
    }
  }

  /** Records where pictures may begin: at valid packets of the video PID that have payload_unit_start_indicator set. */
  function noteStarts(): void {
    for (let at = 0; at < chunk.length; at += PACKET_SIZE) {
      const second = chunk[at + 1]!;
      if ((second & 0xc0) !== 0x40 || (((second & 0x1f) << 8) | chunk[at + 2]!) !== videoPid) continue;
      if ((chunk[at + 3]! & 0xd0) === 0x10) starts.push({ offset: chunkAt + at, begun: undefined });
    }
  }

  /**
   * Selects the program: the first one with video or, until one is found, the first one with any stream. Another
   * program is selected when the selected one has disappeared.
   */
  function onProgram(announced: Program): void {
    follow(announced);
    klv = shownKlv(program, demuxer.report().programs);
    telemetry.listed(klv);
  }

  function follow(announced: Program): void {
    const isOurs = announced.number === program?.number;
    const isBetter = program === null || (!program.streams.some(isVideo) && announced.streams.some(isVideo));
    if (!isOurs && !isBetter && demuxer.report().programs.some(({ number }) => number === program?.number)) return;
    program = { ...announced, streams: announced.streams.map((stream) => ({ ...stream })) };
    current = null;
    const next = program.streams.find(isVideo);
    // After a change of codec, the video format is unknown until its parameter sets arrive.
    if (next?.kind !== videoKind) video = null;
    videoKind = next?.kind;
    const nextPid = next?.pid ?? -1;
    if (nextPid === videoPid) return;
    videoPid = nextPid;
    video = null;
    for (const start of starts) start.begun ??= null;
    noteStarts();
    starts.sort((a, b) => a.offset - b.offset);
  }

  function onVideo(pid: number, format: VideoFormat): void {
    if (pid !== videoPid) return;
    video = { ...format };
    current = null;
  }

  function onUnit(unit: AccessUnit): void {
    if (unit.pid !== videoPid) return;
    lastPts = unit.ptsTicks ?? lastPts;
    lastRun = unit.run;
    const at = starts.findIndex(({ offset }) => offset === unit.offset);
    if (at < 0) return;
    const { ptsTicks, dtsTicks, keyframe, run } = unit;
    starts[at]!.begun = { unit: { ptsTicks, dtsTicks, keyframe, run }, facts: factsNow()! };
    // Pictures are reported in order, so no picture begins at the places before this one.
    for (let i = 0; i < at; i++) starts[i]!.begun ??= null;
  }

  function onKlv(payload: KlvPayload): void {
    if (!isShownKlv(payload, klv, { program: program?.number ?? null, ticks: lastPts, run: lastRun })) return;
    telemetry.add(payload, payload.ptsTicks ?? lastPts, arrival);
  }

  function onFault({ kind, pid }: DemuxFault): void {
    if (kind === 'continuityErrors') continuityErrors += 1;
    else if (kind === 'badCrc' && pid !== null) keeper.broken(pid);
  }

  function factsNow(): Facts | null {
    if (program === null) return null;
    current ??= {
      program,
      videoPid: videoPid < 0 ? null : videoPid,
      video,
      tables: keeper.tables(program.pmtPid),
      form: formOf(program, videoPid),
      picture: video && `${video.codec} ${video.width}x${video.height} ${video.profile} ${video.bitDepth}`,
    };
    return current;
  }

  function release(): void {
    if (lastSent === null && !begin()) return;
    if (pendingLength > 0) hold(chunk);
    const bytes = pendingLength > 0 ? pending.subarray(0, pendingLength) : chunk;
    const base = chunkAt + chunk.length - bytes.length;
    const arrivalUs = pendingLength > 0 ? pendingArrival : arrival;
    let from = 0;
    while (starts.length > 0) {
      const { offset, begun } = starts[0]!;
      const to = Math.max(from, offset - base);
      if (to > from) out.packets(bytes.subarray(from, to), arrivalUs);
      from = to;
      if (begun === undefined && bytes.length - from <= PENDING_MAX) break;
      starts.shift();
      if (begun) beginPicture(begun.unit, begun.facts);
    }
    if (starts.length === 0) {
      if (from < bytes.length) out.packets(bytes.subarray(from), arrivalUs);
      pendingLength = 0;
      sendChange();
    } else keepFrom(bytes, from);
  }

  function begin(): boolean {
    const facts = factsNow();
    if (facts === null) {
      if (pendingLength + chunk.length > EARLY_MAX) pendingLength = 0;
      hold(chunk);
      return false;
    }
    lastSent = facts;
    out.online(facts);
    return true;
  }

  function beginPicture(unit: LiveUnit, facts: Facts): void {
    if (lastSent !== null && !isSame(lastSent, facts)) out.changed(facts);
    lastSent = facts;
    out.unit(unit, facts);
  }

  /**
   * Reports a change of format of a stream without video. If there is video, `beginPicture` reports the change together
   * with the first picture of the new format.
   */
  function sendChange(): void {
    const facts = factsNow();
    if (facts === null || lastSent === null || isSame(lastSent, facts) || facts.videoPid !== null) return;
    lastSent = facts;
    out.changed(facts);
  }

  function hold(bytes: Uint8Array): void {
    if (pendingLength === 0) pendingArrival = arrival;
    const needed = pendingLength + bytes.length;
    if (needed > pending.length) {
      const larger = new Uint8Array(Math.max(needed, pending.length * 2, 8 * 1024));
      larger.set(pending.subarray(0, pendingLength));
      pending = larger;
    }
    pending.set(bytes, pendingLength);
    pendingLength = needed;
  }

  function keepFrom(bytes: Uint8Array, from: number): void {
    if (pendingLength === 0) {
      hold(bytes.subarray(from));
      return;
    }
    if (from === 0) return;
    pending.copyWithin(0, from, pendingLength);
    pendingLength -= from;
    pendingArrival = arrival;
  }

  function flush(): void {
    if (lastSent === null || pendingLength === 0) return;
    out.packets(pending.subarray(0, pendingLength), pendingArrival);
    pendingLength = 0;
    starts.length = 0;
  }

  return {
    push,
    flush,
    facts: factsNow,
    counts: () => ({ continuityErrors, notPackets }),
    wantKlv: telemetry.want,
    hasKlv: () => klv.pids.length > 0,
    klvStreams: telemetry.described,
  };
}

/** Returns a key of those properties of a program that must stay the same for the stream to continue. */
function formOf(program: Program, videoPid: number): string {
  const streams = program.streams.map(({ pid, streamType }) => `${pid}:${streamType}`).join(' ');
  return `${program.number} ${program.pmtPid} ${streams} ${videoPid}`;
}

/** Whether two sets of facts agree. A picture format that was unknown in one of them does not count as a change. */
function isSame(before: Facts, after: Facts): boolean {
  const isSamePicture = before.picture === null || after.picture === null || before.picture === after.picture;
  return before.form === after.form && isSamePicture;
}
