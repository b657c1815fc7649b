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

/** Counters of a source, besides those of bytes and packets. */
export type SourceCounts = { lost: number; reordered: number; refused: number; jitterMs: number | null };

/** Receives the data and faults of a source. */
export type SourceSink = {
  /**
   * Receives complete transport packets of 188 bytes, in the sender's order. The buffer is valid only during the call.
   */
  packets(bytes: Uint8Array, arrivalUs: number): void;
  /**
   * Reports a fault to the operator, as a full sentence without secrets; null when the fault is over. Received packets
   * clear the fault too, unless the packets themselves are faulty (`isOfPackets`).
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
  /** Settles when the source ended on its own; it is opened again after a delay. */
  ended: Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens one kind of address; `url` contains its passwords. If opening fails, the call throws or the source ends, and
 * the caller tries again.
 */
export type OpenSource = (
  source: { url: string; senders: readonly string[] },
  sink: SourceSink,
) => OpenedSource | Promise<OpenedSource>;

/** A picture of the stream; its offset counts bytes since the source came online. Times are unwrapped 90 kHz ticks. */
export type LiveUnit = {
  ptsTicks: number | null;
  dtsTicks: number | null;
  keyframe: boolean;
  /** Number of the clock run; increases by one at each jump of the stream's clock. */
  run: number;
};

/** Facts about the current stream. */
export type StreamFacts = {
  program: Program;
  videoPid: number | null;
  video: VideoFormat | null;
  /** The last PAT and PMT packets as received, to be sent before a segment; null until both have been received. */
  tables: Uint8Array | null;
};

/**
 * Listener of one online stream: used by recording, ring and watchers. `unit` is called before the packets with which
 * that picture begins, so that a listener can cut there. Listeners must not throw or wait: a slow one must use its own
 * bounded queue.
 */
export type LiveListener = {
  unit(unit: LiveUnit, facts: StreamFacts): void;
  /** Receives complete packets; the buffer is valid only during the call. */
  packets(bytes: Uint8Array, arrivalUs: number): void;
  klv?(klv: LiveKlv): void;
  /**
   * Receives a line with AIS from a private data stream, with a time stamp as in AIS files; the buffer is valid only
   * during the call.
   */
  ais?(line: Uint8Array): void;
  /** Called when program, codec, size or PIDs have changed, so that later packets cannot be joined to earlier ones. */
  changed?(facts: StreamFacts): void;
  /** Called when no packet has arrived for 2 s, or the source has ended. */
  lost?(): void;
};

/**
 * A stream of the recorder, online or not. It remains the same object as long as its sensor is in the orders or in use.
 */
export type LiveStream = {
  readonly sensorId: string;
  /** The latest order for this source. */
  order(): SourceOrder;
  platform(): PlatformOrder;
  isOnline(): boolean;
  facts(): StreamFacts | null;
  /** Adds a listener, which is called only while the stream is online. Returns a function that removes it. */
  listen(listener: LiveListener): () => void;
  /**
   * Keeps the stream and its source, even if its platform is removed from the orders, until the returned function is
   * called.
   */
  keep(): () => void;
};

export type LiveStreams = {
  find(sensorId: string): LiveStream | null;
  /**
   * Calls `add` for each existing stream and each later one; the function that `add` returns is called when the stream
   * is removed.
   */
  each(add: (stream: LiveStream) => () => void): void;
};

/** Dependencies of the recorder's parts. */
export type RecorderDeps = {
  config: Readonly<Config>;
  streams: LiveStreams;
  storage: Storage;
  /** The folder `OSPREY_DATA/live`. */
  folder: string;
  /** Sends a message to all connected processes. */
  send(message: FromRecorder): void;
  log: Logger;
  /** UTC microseconds by the system clock, which may jump when it is set. */
  nowUs(): number;
  /** Monotonic time in milliseconds. */
  nowMs(): number;
};

/** Starts, stops and describes recordings. */
export type RecordingPart = {
  /** Reads the journals and repairs what a crash left incomplete. Call before the sources open. */
  load(): Promise<void>;
  /** Begins a recording. Throws an Error with a full sentence if it cannot begin. */
  record(recording: Recording, options: { preRoll: boolean }): Promise<void>;
  /** Stops the given sensors of a recording, by liveSensorId; null for all of them. */
  stop(missionId: string, sensors: readonly string[] | null): Promise<void>;
  /**
   * Settles when the journal with this description is on the disk. Does nothing if the mission is no longer recorded.
   */
  describe(missionId: string, description: RecordingDescription): Promise<void>;
  settled(missionId: string): Promise<void>;
  ordered(orders: Orders): void;
  list(): readonly Recording[];
  segments(): readonly RecordedSegment[];
  /**
   * Returns the id of the mission that this sensor of a platform is being recorded into; null if it is not being
   * recorded.
   */
  missionOf(liveSensorId: string): string | null;
  /**
   * Completes and closes all files. Journals keep their "running" state, so that the next recorder continues the
   * recordings.
   */
  close(): Promise<void>;
};

/** Buffered bytes of a stream from the ring, up to the time of the call: they begin at a key frame and have no gap. */
export type RingHistory = {
  /** UTC of the first picture in the buffered bytes, in microseconds. */
  startUs: number;
  /** PAT and PMT valid at `startUs`. `read` yields them before the first picture only if the sender sent them there. */
  tables: Buffer;
  /**
   * Yields complete packets. Can be iterated only once. Segments that the ring removes in the meantime stay readable.
   */
  read(): AsyncIterable<Buffer>;
  /** Closes the files of the segments that `read` has not read. */
  close(): void;
};

/**
 * Ring buffer that holds the last minutes of each live stream: writes each stream in segments and announces each
 * segment.
 */
export type RingPart = {
  load(): Promise<void>;
  segments(): readonly RingSegment[];
  /**
   * Returns at least the last `seconds` of the stream, or less if the ring holds less; null if it holds nothing. A
   * listener added in the same turn of the event loop receives the packets that follow, without gap or repetition.
   */
  history(sensorId: string, seconds: number): RingHistory | null;
  /**
   * Drops the bytes received since `fromUs`. They belong to a recording, so viewers of the platform must not see them
   * in the ring.
   */
  forget(sensorId: string, fromUs: number): void;
  close(): Promise<void>;
};
