import type { Program, VideoFormat } from '@osprey/mpegts';
import type { Logger } from 'pino';
import type { Config } from '../base/config/config.ts';
import type { Storage } from '../base/storage/storage.ts';
import type { LiveKlv } from '../recorder-wire/media-frames.ts';
import type {
  FromRecorder,
  Orders,
  PlatformOrder,
  RecordedSegment,
  Recording,
  RecordingDescription,
  RingSegment,
  SourceOrder,
} from '../recorder-wire/protocol.ts';

/** Counts of a source besides bytes and packets. */
export type SourceCounts = { lost: number; reordered: number; refused: number; jitterMs: number | null };

/** Where a source puts what it receives. */
export type SourceSink = {
  /** Whole transport packets of 188 bytes, in order, as the sender made them. Valid during the call only. */
  packets(bytes: Uint8Array, arrivalUs: number): void;
  /**
   * A fault for the operator, as a whole sentence without secrets; null: the fault is over. Packets end it too, unless
   * it is one of the packets (`isOfPackets`).
   */
  problem(text: string | null, isOfPackets?: boolean): void;
  /** `read`, known to read bytes of this source: a crash in it is put down to its sensor. `packets` is known by itself. */
  reading<Args extends unknown[]>(read: (...args: Args) => void): (...args: Args) => void;
  /** An error of ours kept the received bytes from being read. The source ends, and it counts as a crash does. */
  failed(error: unknown): void;
};

export type OpenedSource = {
  counts(): SourceCounts;
  /** Settles when it ended by itself: the supervisor opens it again after a while. */
  ended: Promise<void>;
  close(): Promise<void>;
};

/** Opens one kind of address; `url` holds its passwords. Throws, or ends, when that fails: it will be asked again. */
export type OpenSource = (
  source: { url: string; senders: readonly string[] },
  sink: SourceSink,
) => OpenedSource | Promise<OpenedSource>;

/** A picture of the stream; offsets count from where the source came online. Times are unwrapped 90 kHz ticks. */
export type LiveUnit = {
  ptsTicks: number | null;
  dtsTicks: number | null;
  keyframe: boolean;
  /** Rises at each clock jump. */
  run: number;
};

/** Facts of the current stream. */
export type StreamFacts = {
  program: Program;
  videoPid: number | null;
  video: VideoFormat | null;
  /** The last PAT and PMT packets as received, to be sent before a segment; null until both were seen. */
  tables: Uint8Array | null;
};

/**
 * Listens to one online stream: recording, ring, watchers. `unit` comes before the packets with which that picture
 * begins, so a listener can cut there. Listeners must not throw or wait: a slow one keeps its own bounded queue.
 */
export type LiveListener = {
  unit(unit: LiveUnit, facts: StreamFacts): void;
  /** Whole packets; valid during the call only. */
  packets(bytes: Uint8Array, arrivalUs: number): void;
  klv?(klv: LiveKlv): void;
  /** A line with AIS of a private data stream, stamped as the files of AIS have it; valid during the call only. */
  ais?(line: Uint8Array): void;
  /** Program, codec, size or PIDs changed: what comes cannot be joined to what was. */
  changed?(facts: StreamFacts): void;
  /** No packet came for 2 s, or the source ended. */
  lost?(): void;
};

/** A stream of the recorder, online or not; one object as long as its sensor is wanted. */
export type LiveStream = {
  readonly sensorId: string;
  /** As last ordered. */
  order(): SourceOrder;
  platform(): PlatformOrder;
  isOnline(): boolean;
  facts(): StreamFacts | null;
  /** Before the first packets, while it is not online, nothing is said. Returns the function that ends it. */
  listen(listener: LiveListener): () => void;
  /**
   * Keeps the stream and its source, also if its platform is taken from the orders, until the returned function
   * is called.
   */
  keep(): () => void;
};

export type LiveStreams = {
  find(sensorId: string): LiveStream | null;
  /** Calls `add` for each stream that is there and for each that comes; what it answers is called when the stream goes. */
  each(add: (stream: LiveStream) => () => void): void;
};

/** Dependencies of the recorder's parts. */
export type RecorderDeps = {
  config: Readonly<Config>;
  streams: LiveStreams;
  storage: Storage;
  /** `OSPREY_DATA/live`. */
  folder: string;
  /** To everybody who is connected. */
  send(message: FromRecorder): void;
  log: Logger;
  /** UTC by the clock of the machine, which may be set. */
  nowUs(): number;
  /** Monotonic. */
  nowMs(): number;
};

/** The recordings. */
export type RecordingPart = {
  /** Reads the journals and mends what a crash left. Before the sources open. */
  load(): Promise<void>;
  /** Throws an Error with a whole sentence when it cannot be. */
  record(recording: Recording, options: { preRoll: boolean }): Promise<void>;
  /** `sensors` by liveSensorId; null: all. */
  stop(missionId: string, sensors: readonly string[] | null): Promise<void>;
  /** Settles when the journal says it, on the disk. Nothing where it is not recorded any more. */
  describe(missionId: string, description: RecordingDescription): Promise<void>;
  settled(missionId: string): Promise<void>;
  ordered(orders: Orders): void;
  list(): readonly Recording[];
  segments(): readonly RecordedSegment[];
  /** The mission that this sensor of a platform is recorded into now. */
  missionOf(liveSensorId: string): string | null;
  /** Files are closed whole; journals stay as they are. */
  close(): Promise<void>;
};

/** The ring's bytes of a stream up to the call: from a key frame on, as received, in order, without a break. */
export type RingHistory = {
  /** UTC of its first picture. */
  startUs: number;
  /** PAT and PMT as they were then; they precede the first picture only if the sender put them there. */
  tables: Buffer;
  /** Whole packets; to be read once, to its end. Segments that the ring removes meanwhile stay readable. */
  read(): AsyncIterable<Buffer>;
  /** Gives back what was not read. */
  close(): void;
};

/** The ring of the last minutes: listens to each stream, writes it in segments and says so. */
export type RingPart = {
  load(): Promise<void>;
  segments(): readonly RingSegment[];
  /**
   * At least these seconds, or as much as there is; null: none. A listener that is added in the same turn gets the
   * packets after it without gap or repetition.
   */
  history(sensorId: string, seconds: number): RingHistory | null;
  /**
   * Drops the bytes received since then: viewers of the platform must not see them, because they belong to a recording.
   */
  forget(sensorId: string, fromUs: number): void;
  close(): Promise<void>;
};
