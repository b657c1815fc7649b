import type { PictureStamp } from './picture-stamp.ts';

/** Video codings that are decoded. `mpeg4`: MPEG-4 part 2 (ISO/IEC 14496-2). */
export type VideoKind = 'h264' | 'h265' | 'mpeg2' | 'mpeg4';

/**
 * Content of an elementary stream, determined from its stream_type and descriptors (ISO/IEC 13818-1, 2.4.4.9 and 2.6).
 */
export type StreamKind =
  | VideoKind
  | 'aac'
  | 'mpegAudio'
  /**
   * AAC in LATM frames (ISO/IEC 14496-3), AC-3 and E-AC-3 (ETSI TS 102 366): sound that browsers cannot play from a
   * transport stream.
   */
  | 'aacLatm'
  | 'ac3'
  | 'eac3'
  /** Sound in a coding that is not known here. */
  | 'otherAudio'
  | 'klvAsync'
  | 'klvSync'
  | 'other';

/** One elementary stream, as announced in the PMT. */
export type ProgramStream = {
  pid: number;
  streamType: number;
  kind: StreamKind;
  /** The four letters in the registration descriptor (tag 0x05); null if there is none. */
  registration: string | null;
  /** metadata_service_id of a metadata descriptor (2.6.60). */
  metadataService?: number;
};

/** One program as announced in its PMT; delivered again whenever the PMT changes. */
export type Program = {
  number: number;
  pmtPid: number;
  pcrPid: number;
  version: number;
  streams: ProgramStream[];
  /**
   * KLV that metadata pointer descriptors (2.6.58) assign to this program: the service, and the program that carries
   * it, if stated.
   */
  metadataPointers?: { service: number; program: number | null }[];
};

/** The last tables of a program: byte offsets in the whole stream of the packets in which they began. */
export type TablePlace = { patOffset: number; pmtOffset: number };

/**
 * One coded picture, i.e. one PES packet of a video stream. The object is reused, so it must be read during the call.
 */
export type AccessUnit = {
  pid: number;
  programNumber: number;
  kind: StreamKind;
  /** PTS in 90 kHz ticks, unwrapped beyond 33 bits; null if the PES packet has none or it is not plausible. */
  ptsTicks: number | null;
  /**
   * DTS, as `ptsTicks`; equal to it if the PES packet has only a PTS. For the leading video it never decreases within a
   * run, if the stream contains DTS.
   */
  dtsTicks: number | null;
  /** Byte offset in the whole stream of the transport packet in which the PES packet starts. */
  offset: number;
  /** True if decoding can start at this picture. */
  keyframe: boolean;
  /**
   * True for a key frame after which a decoder has a complete picture only some pictures later (gradual refresh);
   * browsers cannot begin there.
   */
  gradual: boolean;
  /** Time stated in the picture itself; null if there is none. */
  stamp?: PictureStamp | null;
  /**
   * Number of the run; increases by one at each clock jump of the program, and when its leading video continues in
   * another PID or coding.
   */
  run: number;
  /** Number of PAT and PMT sections of this program read before this unit; a segment needs one of each. */
  patCount: number;
  pmtCount: number;
};

/** Origin of a piece of video; the object is reused. */
export type VideoPacket = {
  pid: number;
  offset: number;
  /** True if a PES packet begins here. */
  unitStart: boolean;
  /** True if packets of this PID are missing before this one. */
  lost: boolean;
};

/**
 * One or more KLV packets from one PES packet or metadata access unit. The object and `bytes` are reused, so they must
 * be read during the call.
 */
export type KlvPayload = {
  pid: number;
  programNumber: number;
  /**
   * PTS in 90 kHz ticks as in `AccessUnit`; null if the PES packet has none (common for asynchronous KLV) or it is not
   * plausible.
   */
  ptsTicks: number | null;
  /**
   * `ptsTicks`, or, if that is null, the DTS of the picture to which the KLV belongs by its position in the multiplex;
   * null if no picture is near. See `createPictureOrder`.
   */
  nearTicks: number | null;
  run: number;
  /** Byte offset in the whole stream of the transport packet in which the first PES packet starts. */
  offset: number;
  bytes: Uint8Array;
  start: number;
  end: number;
  /** True if the payload came in metadata access unit cells (2.12.4). */
  sync: boolean;
};

/**
 * Text of a private data stream that contains AIS sentences (NMEA 0183), in [start, end) of `bytes`; a piece may end
 * within a line. The object is reused, so it must be read during the call.
 */
export type TextPayload = {
  pid: number;
  programNumber: number;
  bytes: Uint8Array;
  start: number;
  end: number;
  /** True if packets of this PID are missing before this one. */
  lost: boolean;
};

/** Format of a video stream, according to its parameter sets or sequence header. */
export type VideoFormat = {
  codec: VideoKind;
  /** Size in pixels after cropping. */
  width: number;
  height: number;
  /** Frames per second as declared in the stream; null if not declared. */
  frameRate: number | null;
  /** profile_idc, general_profile_idc, the MPEG-2 profile number, or video_object_type_indication. */
  profile: number;
  /** level_idc, general_level_idc, or the MPEG-2 level number; 0 for MPEG-4 part 2. */
  level: number;
  chroma: '4:0:0' | '4:2:0' | '4:2:2' | '4:4:4';
  bitDepth: number;
  /** True if the stream may contain fields or interlaced frames. */
  interlaced: boolean;
  /**
   * True if pictures are shown in an order other than that of the stream; null if the stream does not state it and no
   * such picture has been seen yet.
   */
  hasBFrames: boolean | null;
};

/** Counts of faults that a reader found and skipped. */
export type DemuxFaults = {
  syncLosses: number;
  /** Number of bytes outside packets, including those before the first packet. */
  skippedBytes: number;
  continuityErrors: number;
  /** Number of legal repetitions of packets, which were dropped. */
  duplicates: number;
  transportErrors: number;
  scrambledPackets: number;
  /** Number of packets whose adaptation field is malformed. */
  brokenPackets: number;
  badCrc: number;
  brokenPes: number;
  brokenCells: number;
  /** Number of PTS or DTS that match no clock of the program; these units are delivered without a time. */
  badTimes: number;
  /** Number of clock jumps in all programs. */
  clockJumps: number;
};

/** Content of a stream, counted from its start; each call returns a new copy. */
export type DemuxReport = {
  bytes: number;
  packets: number;
  /** Null if no transport stream was found. */
  packetSize: 188 | 192 | 204 | null;
  /** False if the programs were found without a program association table. */
  patSeen: boolean;
  programs: Program[];
  /** PIDs of which at least half the packets are scrambled. */
  scrambledPids: number[];
  faults: DemuxFaults;
  /** PIDs in the order of first appearance, including null packets (0x1FFF). */
  pids: {
    pid: number;
    packets: number;
    /** Offset of the first packet with this PID. */
    firstOffset: number;
    continuityErrors: number;
    kind: StreamKind | 'psi' | 'null';
  }[];
  /** Tables read for each program, counted as in `AccessUnit`. */
  tables: { programNumber: number; patCount: number; pmtCount: number }[];
  /** Number of bytes in a packet that is cut off by the end of the stream. */
  trailingBytes: number;
};

/** A fault with its position, for callers that need more than the counts. */
export type DemuxFault = { kind: keyof DemuxFaults; pid: number | null; offset: number };

/**
 * Callbacks for the content that a demuxer finds. They are called while `push` or `end` runs, and errors thrown in them
 * are passed on.
 */
export type DemuxHandlers = {
  /** A PMT was read for the first time, or changed. */
  program?(program: Program, place: TablePlace): void;
  accessUnit?(unit: AccessUnit): void;
  /**
   * The payload of each packet of a video stream, in [start, end) of `bytes`; valid only during the call. It is called
   * after `accessUnit` for the picture that begins in this packet, if that picture's properties were known by then.
   * Reading is slower if this is set.
   */
  videoPayload?(packet: VideoPacket, bytes: Uint8Array, start: number, end: number): void;
  klv?(payload: KlvPayload): void;
  /** Called from the first packet on in which an AIS sentence was found. */
  text?(payload: TextPayload): void;
  /** Parameter sets were read for the first time or changed, or pictures turned out to be reordered. */
  video?(pid: number, format: VideoFormat): void;
  fault?(fault: DemuxFault): void;
};
