import type { Program, VideoFormat } from '@osprey/mpegts';
import type { Logger } from 'pino';
import type { Config } from '../base/config/config.ts';
import type { Storage } from '../base/storage/storage.ts';
import type { LiveKlv } from '../recorder-wire/media-messages.ts';
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

/** Counters of a source besides bytes and packets. */
export type SourceCounts = { lost: number; reordered: number; refused: number; jitterMs: number | null };

/** Where a source puts what it receives. */
export type SourceSink = {
  /** Takes complete transport packets of 188 bytes, in the sender's order. The buffer is valid during the call only. */
  packets(bytes: Uint8Array, arrivalUs: number): void;
  /**
   * Reports a fault to the operator, as a full sentence without secrets; null: the fault is over. Received packets
   * clear the fault too, unless the packets themselves have the fault (`isOfPackets`).
   */
  problem(text: string | null, isOfPackets?: boolean): void;
  /**
   * Wraps `read`, a function that reads bytes of this source, so that a crash inside it is attributed to its sensor.
   * `packets` needs no wrapper.
   */
  reading<Args extends unknown[]>(read: (...args: Args) => void): (...args: Args) => void;
  /**
   * Reports that an internal error stopped the reading of received bytes. The source ends, and the error counts as a
   * crash.
   */
  failed(error: unknown): void;
};

export type OpenedSource = {
  counts(): SourceCounts;
  /** Settles when the source ended by itself; it is opened again after a delay. */
  ended: Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens one kind of address; `url` holds its passwords. When opening fails, the call throws or the source ends, and the
 * caller tries again.
 */
export type OpenSource = (
  source: { url: string; senders: readonly string[] },
  sink: SourceSink,
) => OpenedSource | Promise<OpenedSource>;

/** A picture of the stream; offsets count bytes from where the source came online. Times are unwrapped 90 kHz ticks. */
export type LiveUnit = {
  ptsTicks: number | null;
  dtsTicks: number | null;
  keyframe: boolean;
  /** Number of the clock run; rises by one at each jump of the stream's clock. */
  run: number;
};

/** Facts of the current stream. */
export type StreamFacts = {
  program: Program;
  videoPid: number | null;
  video: VideoFormat | null;
  /** The last PAT and PMT packets as received, to be sent before a segment; null until both were received. */
  tables: Uint8Array | null;
};

/**
 * Listens to one online stream: recording, ring and watchers do. `unit` is called before the packets with which that
 * picture begins, so a listener can cut there. Listeners must not throw or wait: a slow one keeps its own bounded
 * queue.
 */
export type LiveListener = {
  unit(unit: LiveUnit, facts: StreamFacts): void;
  /** Takes complete packets; the buffer is valid during the call only. */
  packets(bytes: Uint8Array, arrivalUs: number): void;
  klv?(klv: LiveKlv): void;
  /**
   * Takes a line with AIS from a private data stream, with a time stamp as in AIS files; valid during the call only.
   */
  ais?(line: Uint8Array): void;
  /** Called when program, codec, size or PIDs changed: later packets cannot be joined to earlier ones. */
  changed?(facts: StreamFacts): void;
  /** Called when no packet came for 2 s, or the source ended. */
  lost?(): void;
};

/** A stream of the recorder, online or not; the same object for as long as its sensor is in the orders or in use. */
export type LiveStream = {
  readonly sensorId: string;
  /** The latest order for this source. */
  order(): SourceOrder;
  platform(): PlatformOrder;
  isOnline(): boolean;
  facts(): StreamFacts | null;
  /** Adds a listener. It is called only while the stream is online. Returns the function that removes it. */
  listen(listener: LiveListener): () => void;
  /**
   * Keeps the stream and its source, also if its platform is taken from the orders, until the returned function
   * is called.
   */
  keep(): () => void;
};

export type LiveStreams = {
  find(sensorId: string): LiveStream | null;
  /**
   * Calls `add` for each existing stream and each later one; the function that `add` returns is called when the stream
   * goes.
   */
  each(add: (stream: LiveStream) => () => void): void;
};

/** Dependencies of the recorder's parts. */
export type RecorderDeps = {
  config: Readonly<Config>;
  streams: LiveStreams;
  storage: Storage;
  /** `OSPREY_DATA/live`. */
  folder: string;
  /** Sends a message to all connected processes. */
  send(message: FromRecorder): void;
  log: Logger;
  /** UTC microseconds by the system clock, which may be set. */
  nowUs(): number;
  /** Monotonic time in milliseconds. */
  nowMs(): number;
};

/** Starts, stops and describes recordings. */
export type RecordingPart = {
  /** Reads the journals and repairs what a crash left incomplete. Call before the sources open. */
  load(): Promise<void>;
  /** Begins a recording. Throws an Error with a full sentence when it cannot begin. */
  record(recording: Recording, options: { preRoll: boolean }): Promise<void>;
  /** Stops the given sensors of a recording, by liveSensorId; null: all of them. */
  stop(missionId: string, sensors: readonly string[] | null): Promise<void>;
  /**
   * Settles when the journal with this description is on the disk. Does nothing if the mission is no longer recorded.
   */
  describe(missionId: string, description: RecordingDescription): Promise<void>;
  settled(missionId: string): Promise<void>;
  ordered(orders: Orders): void;
  list(): readonly Recording[];
  segments(): readonly RecordedSegment[];
  /** Id of the mission that this sensor of a platform is being recorded into; null when it is not recorded. */
  missionOf(liveSensorId: string): string | null;
  /** Closes all files completely; journals keep their running state, so that the next recorder continues. */
  close(): Promise<void>;
};

/** Buffered bytes of a stream from the ring, up to the time of the call: they begin at a key frame and have no gap. */
export type RingHistory = {
  /** UTC of its first picture. */
  startUs: number;
  /** PAT and PMT valid at that time; they precede the first picture in `read` only if the sender sent them there. */
  tables: Buffer;
  /** Complete packets; can be read once, to the end. Segments that the ring removes meanwhile stay readable. */
  read(): AsyncIterable<Buffer>;
  /** Closes the files of segments that were not read. */
  close(): void;
};

/** The ring buffer of the last minutes: listens to each stream, writes it in segments and announces them. */
export type RingPart = {
  load(): Promise<void>;
  segments(): readonly RingSegment[];
  /**
   * Returns at least this many seconds, or as much as the ring holds; null: nothing. A listener that is added in the
   * same turn of the event loop gets the following packets without gap or repetition.
   */
  history(sensorId: string, seconds: number): RingHistory | null;
  /**
   * Drops the bytes received since `fromUs`: viewers of the platform must not see them, because they belong to a
   * recording.
   */
  forget(sensorId: string, fromUs: number): void;
  close(): Promise<void>;
};
