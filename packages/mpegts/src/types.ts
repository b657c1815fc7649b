import type { PictureStamp } from './picture-stamp.ts';

/** Coded pictures that are read. `mpeg4`: MPEG-4 part 2 (ISO/IEC 14496-2). */
export type VideoKind = 'h264' | 'h265' | 'mpeg2' | 'mpeg4';

/** Content of an elementary stream, from its stream_type and descriptors (ISO/IEC 13818-1, 2.4.4.9 and 2.6). */
export type StreamKind =
  | VideoKind
  | 'aac'
  | 'mpegAudio'
  /** AAC in LATM frames (ISO/IEC 14496-3), AC-3 and E-AC-3 (ETSI TS 102 366): sound that browsers do not play from here. */
  | 'aacLatm'
  | 'ac3'
  | 'eac3'
  /** Sound, but in no coding that is known here. */
  | 'otherAudio'
  | 'klvAsync'
  | 'klvSync'
  | 'other';

/** One elementary stream as its program map announces it. */
export type ProgramStream = {
  pid: number;
  streamType: number;
  kind: StreamKind;
  /** The four letters of a registration descriptor (tag 0x05), null when it has none. */
  registration: string | null;
  /** metadata_service_id of a metadata descriptor (2.6.60). */
  metadataService?: number;
};

/** One program as its program map announces it; given again whenever the map changes. */
export type Program = {
  number: number;
  pmtPid: number;
  pcrPid: number;
  version: number;
  streams: ProgramStream[];
  /** KLV that metadata pointer descriptors (2.6.58) assign to this program: the service, and its program where it is named. */
  metadataPointers?: { service: number; program: number | null }[];
};

/** Last tables of a program: byte offsets, in the whole stream, of the packets in which they began. */
export type TablePlace = { patOffset: number; pmtOffset: number };

/** One coded picture: one PES packet of a video stream. The object is reused: read it during the call. */
export type AccessUnit = {
  pid: number;
  programNumber: number;
  kind: StreamKind;
  /** 90 kHz ticks, unwrapped beyond 33 bits; null when the PES carries none or it cannot be believed. */
  ptsTicks: number | null;
  /**
   * As `ptsTicks`; equal to it if the PES carries only a PTS. For the leading video it never falls within a run, if the
   * stream writes DTS.
   */
  dtsTicks: number | null;
  /** Byte offset in the whole stream of the transport packet in which the PES starts. */
  offset: number;
  /** Decoding can start here. */
  keyframe: boolean;
  /** A keyframe from which a decoder has the whole picture only some pictures later; browsers do not begin there. */
  gradual: boolean;
  /** The time that the picture says of itself; null without one. */
  stamp?: PictureStamp | null;
  /** Rises by one at each clock jump of the program, and where its leading video goes on in another PID or coding. */
  run: number;
  /** How many PAT and PMT sections of this program were read before this unit; a segment needs one of each. */
  patCount: number;
  pmtCount: number;
};

/** Where a piece of video comes from; reused. */
export type VideoPacket = {
  pid: number;
  offset: number;
  /** A PES packet begins here. */
  unitStart: boolean;
  /** Packets of this PID are missing before it. */
  lost: boolean;
};

/** One or more KLV packets of one PES or metadata access unit. The object and `bytes` are reused: read them during the call. */
export type KlvPayload = {
  pid: number;
  programNumber: number;
  /** 90 kHz ticks as in `AccessUnit`; null when the PES carries no PTS (asynchronous KLV often) or it cannot be believed. */
  ptsTicks: number | null;
  /**
   * `ptsTicks`, or the DTS of the picture that it belongs to by their order in the multiplex; null where none is near. See
   * `createPictureOrder`.
   */
  nearTicks: number | null;
  run: number;
  /** Byte offset in the whole stream of the transport packet in which its first PES starts. */
  offset: number;
  bytes: Uint8Array;
  start: number;
  end: number;
  /** True if the payload came in metadata access unit cells (2.12.4). */
  sync: boolean;
};

/**
 * Text of a private data stream in which AIS sentences were found (NMEA 0183), [start, end) of `bytes`, cut anywhere. Reused:
 * read it during the call.
 */
export type TextPayload = {
  pid: number;
  programNumber: number;
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Packets of this PID are missing before it. */
  lost: boolean;
};

/** Format of a video stream by its parameter sets or sequence header. */
export type VideoFormat = {
  codec: VideoKind;
  /** Size in pixels after cropping. */
  width: number;
  height: number;
  /** Frames a second as the stream declares them; null when it does not. */
  frameRate: number | null;
  /** profile_idc, general_profile_idc, the MPEG-2 profile number or video_object_type_indication. */
  profile: number;
  /** level_idc, general_level_idc or the MPEG-2 level number; 0 for MPEG-4 part 2. */
  level: number;
  chroma: '4:0:0' | '4:2:0' | '4:2:2' | '4:4:4';
  bitDepth: number;
  /** The stream may hold fields or interlaced frames. */
  interlaced: boolean;
  /** Pictures are shown in another order than they come; null when the stream does not say and none was seen yet. */
  hasBFrames: boolean | null;
};

/** Faults that a reader met and skipped. */
export type DemuxFaults = {
  syncLosses: number;
  /** Bytes outside packets, also before the first. */
  skippedBytes: number;
  continuityErrors: number;
  /** Legal repetitions of a packet, dropped. */
  duplicates: number;
  transportErrors: number;
  scrambledPackets: number;
  /** Packets whose adaptation field breaks the format. */
  brokenPackets: number;
  badCrc: number;
  brokenPes: number;
  brokenCells: number;
  /** PTS or DTS that no clock of the program confirms; the unit is given without time. */
  badTimes: number;
  /** Clock jumps, over all programs. */
  clockJumps: number;
};

/** Content of a stream, counted from its start; a copy made when asked for. */
export type DemuxReport = {
  bytes: number;
  packets: number;
  /** null: no transport stream was found. */
  packetSize: 188 | 192 | 204 | null;
  /** False when the programs were found without a program association table. */
  patSeen: boolean;
  programs: Program[];
  /** PIDs with at least half their packets scrambled. */
  scrambledPids: number[];
  faults: DemuxFaults;
  /** In the order of first appearance; null packets (0x1FFF) included. */
  pids: {
    pid: number;
    packets: number;
    /** Offset of its first packet. */
    firstOffset: number;
    continuityErrors: number;
    kind: StreamKind | 'psi' | 'null';
  }[];
  /** Tables read for each program, counted as in `AccessUnit`. */
  tables: { programNumber: number; patCount: number; pmtCount: number }[];
  /** Bytes of a packet cut off by the end. */
  trailingBytes: number;
};

/** A fault at its place, for those who want more than the counts. */
export type DemuxFault = { kind: keyof DemuxFaults; pid: number | null; offset: number };

/** Callbacks for what a demuxer finds. They are called while `push` or `end` runs, and their errors are passed on. */
export type DemuxHandlers = {
  /** A program map was read for the first time, or changed. */
  program?(program: Program, place: TablePlace): void;
  accessUnit?(unit: AccessUnit): void;
  /**
   * The payload of each packet of a video stream, [start, end) of `bytes`, valid during the call. Comes after the
   * `accessUnit` that its packet begins, where that was known by then. Reading is slower with it.
   */
  videoPayload?(packet: VideoPacket, bytes: Uint8Array, start: number, end: number): void;
  klv?(payload: KlvPayload): void;
  /** From the first packet on in which a sentence of AIS was found. */
  text?(payload: TextPayload): void;
  /** Parameter sets were read for the first time, or changed, or pictures turned out to be reordered. */
  video?(pid: number, format: VideoFormat): void;
  fault?(fault: DemuxFault): void;
};
