import { type LiveSensor, liveSensor, liveVideo, sensorTypes, streamStates } from '@osprey/contract';
import { z } from 'zod';

/**
 * Protocol between the recorder and the other processes, over a local socket in `OSPREY_DATA/live`. The recorder needs
 * neither a database nor the other processes: its orders are in `live/orders.json`, and each recording's journal in
 * `live/journals/{missionId}.json`, both written to a temporary name, synced and renamed.
 *
 * A message is a frame: length (u32, big endian, of the bytes after it), one byte for the kind, then the payload.
 */
export const FRAME = { json: 0, media: 1, klv: 2 } as const;
/** Maximum size of a frame, far above that of any message; a larger length means that the bytes are no frame. */
export const FRAME_MAX = 64 * 1024 * 1024;

/**
 * Protocol version, increased when a message changes its meaning. The main process stops a running recorder with
 * another version.
 */
export const PROTOCOL = 6;

/**
 * UTC microseconds. In this file ranks are 1 to 5, and secrets are sealed with `keys/platforms.key`
 * (base/access/secret-box.ts).
 */
const micros = z.int();
const uuid = z.uuid();

export const sourceOrder = z.object({
  sensorId: uuid,
  name: z.string(),
  type: z.enum(sensorTypes),
  /** Address of the source, in which passwords are replaced by ***. */
  url: z.string(),
  secret: z.string().nullable(),
  /** Addresses or networks that may send; if empty, all may. */
  senders: z.array(z.string()),
  on: z.boolean(),
  /** Reason, for the operator, why the source must stay off although it is switched on. */
  refused: z.string().optional(),
  /** PID of the KLV stream that a user chose; left out for the automatic choice. */
  klvPid: z.int().optional(),
});
export type SourceOrder = z.output<typeof sourceOrder>;

export const platformOrder = z.object({
  platformId: uuid,
  name: z.string(),
  description: z.string(),
  type: z.string(),
  color: z.string(),
  classification: z.int().min(1).max(5),
  marked: z.boolean(),
  audience: z.enum(['everyone', 'groups']),
  usergroups: z.array(uuid),
  /** Priority of the recording: 1 is recorded longest if there is not enough disk space for all. */
  priority: z.int(),
  record: z.object({ onPresence: z.boolean(), schedule: z.array(z.string()), preRollSeconds: z.int() }),
  sensors: z.array(sourceOrder),
});
export type PlatformOrder = z.output<typeof platformOrder>;

/**
 * All current orders; they replace the previous ones. A recording continues even if its platform is removed from the
 * orders.
 */
export const orders = z.object({
  platforms: z.array(platformOrder),
  /**
   * Maximum number of platforms, including those recorded by command, up to which rules may begin recordings; left out:
   * no limit.
   */
  recordingsMax: z.int().optional(),
});
export type Orders = z.output<typeof orders>;

/**
 * One file of a recording, `originals/{sensorId}/{fileId}.ts` of the storage, at its final path from the first byte.
 */
export const recordedFile = z.object({
  fileId: uuid,
  startedUs: micros,
  /** Null while the file is being written. */
  endedUs: micros.nullable(),
  sizeBytes: z.int(),
  /** SHA-256 of the file, computed while it was written; left out until its end, or if it could not be computed. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  durationSeconds: z.number(),
  segments: z.int(),
  /** True if the index of the file was written during the recording, so that ingest need not read the file again. */
  indexed: z.boolean(),
  /** True if a sync to disk failed, so that the content is not reliable. */
  suspect: z.boolean(),
  /** PID of the KLV stream that a user had chosen when the file ended; left out for the automatic choice. */
  klvPid: z.int().optional(),
  /**
   * Reason why the file begins: `start` of the recording, `restart` of the recorder, `clock` jump, `stream` available
   * again, `sync` of the previous file failed.
   */
  cause: z.enum(['start', 'restart', 'clock', 'stream', 'sync']),
});
export type RecordedFile = z.output<typeof recordedFile>;

/**
 * Times of the first and last packet dropped because the disk was too slow; `endedUs` is null while this may continue.
 */
const overflow = z.object({ startedUs: micros, endedUs: micros.nullable(), packets: z.int() });
export type Overflow = z.output<typeof overflow>;

export const recordedSensor = z.object({
  /** Id of the platform's sensor, and id of the mission's sensor created for it. */
  liveSensorId: uuid,
  sensorId: uuid,
  name: z.string(),
  description: z.string(),
  type: z.enum(sensorTypes),
  state: z.enum(['recording', 'stopped']),
  files: z.array(recordedFile),
  overflows: z.array(overflow).optional(),
  error: z.string().nullable(),
});
export type RecordedSensor = z.output<typeof recordedSensor>;

/** The journal of a recording: everything needed to create or repair its rows when the database is available. */
export const recording = z.object({
  missionId: uuid,
  missionName: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  platform: z.object({ platformId: uuid, name: z.string(), type: z.string(), color: z.string() }),
  classification: z.int().min(1).max(5),
  marked: z.boolean(),
  audience: z.enum(['everyone', 'groups']),
  usergroups: z.array(uuid),
  priority: z.int(),
  cause: z.enum(['manual', 'presence', 'schedule']),
  state: z.enum(['recording', 'stopped']),
  startedUs: micros,
  endedUs: micros.nullable(),
  /** Reason for an automatic end: `disk full`, `stream ended`, `schedule`; null when a user stopped it. */
  stopReason: z.string().nullable(),
  sensors: z.array(recordedSensor),
});
export type Recording = z.output<typeof recording>;

/** Fields of a recording that can be changed while it runs. */
const recordingDescription = recording.pick({
  missionName: true,
  description: true,
  tags: true,
  classification: true,
  marked: true,
  audience: true,
  usergroups: true,
});
export type RecordingDescription = z.output<typeof recordingDescription>;

const aisCounts = z.object({
  /** Number of accepted sentences, including those with a wrong checksum. */
  sentences: z.int(),
  /** Rate averaged over the last seconds. */
  perSecond: z.number(),
  checksumFaults: z.int(),
  /** Number of sentences dropped because they exceeded 5,000 per second. */
  dropped: z.int(),
  /** Number of lines in which no AIS sentence (NMEA 0183) was found. */
  otherLines: z.int(),
  /** Arrival time of the last sentence; null if there was none so far. */
  lastUs: micros.nullable(),
});
export type AisCounts = z.output<typeof aisCounts>;

/** An AIS file (ais-files.ts) and the size of its complete lines. It grows until `ended`. */
export const aisFile = z.object({ key: z.string(), sizeBytes: z.int(), ended: z.boolean() });
export type AisFile = z.output<typeof aisFile>;

export type KlvStreams = NonNullable<LiveSensor['klvStreams']>;

/** State of one source. Sent when the state changes, and with new counters at most once a second. */
export const sourceState = z.object({
  sensorId: uuid,
  platformId: uuid,
  on: z.boolean(),
  state: z.enum(streamStates).exclude(['partial']),
  since: micros,
  /** Start of the current stream; null if there is none. */
  startedUs: micros.nullable(),
  bytes: z.int(),
  bitsPerSecond: z.number(),
  packets: z.int(),
  /** Number of missing transport packets or RTP packets. */
  lost: z.int(),
  /** Number of RTP packets that arrived late, but early enough to be put in order. */
  reordered: z.int(),
  /** Number of datagrams refused because their sender is not on the list, or the rate limit was exceeded. */
  refused: z.int(),
  jitterMs: z.number().nullable(),
  video: liveVideo.nullable(),
  klv: z.boolean(),
  /** Left out if the stream has at most one KLV stream. */
  klvStreams: liveSensor.shape.klvStreams,
  /** Present only for an AIS source, or a stream with AIS in private data. */
  ais: aisCounts.optional(),
  /**
   * Present if the sensor was set aside because reading its stream failed twice within a minute: it is off until
   * `untilUs`, regardless of the orders.
   */
  aside: z.object({ sinceUs: micros, untilUs: micros }).optional(),
  /** A full sentence; null if there is no error. */
  error: z.string().nullable(),
});
export type SourceState = z.output<typeof sourceState>;

/**
 * One segment of the ring, `live/ring/{sensorId}/{n}.ts`: it begins at a key frame preceded by PAT and PMT. `n` only
 * increases, even across restarts. The message is sent again with each new part; `done` is true with the last one.
 */
export const ringSegment = z.object({
  sensorId: uuid,
  n: z.int(),
  /** UTC time of its first picture by the receiver's clock. */
  startUs: micros,
  firstPtsTicks: z.number(),
  durationSeconds: z.number(),
  sizeBytes: z.int(),
  /** True if the clock jumped, or the stream was interrupted, before this segment. */
  discontinuity: z.boolean(),
  /** Number of such discontinuities up to its beginning; like `n`, it only increases, even across restarts. */
  breaks: z.int(),
  done: z.boolean(),
  parts: z.array(
    z.object({ offset: z.int(), sizeBytes: z.int(), durationSeconds: z.number(), independent: z.boolean() }),
  ),
});
export type RingSegment = z.output<typeof ringSegment>;

/** A complete segment in a file of a running recording. `n` counts from 0 within the file. */
export const recordedSegment = z.object({
  missionId: uuid,
  sensorId: uuid,
  fileId: uuid,
  n: z.int(),
  offset: z.int(),
  sizeBytes: z.int(),
  startUs: micros,
  durationSeconds: z.number(),
  discontinuity: z.boolean(),
});
export type RecordedSegment = z.output<typeof recordedSegment>;

/** Time after which a probe of an address ends on its own, in milliseconds. */
export const PROBE_MS = 20_000;

/** Result of a probe: the first pictures that an address sends, or the reason why there are none. */
export const probed = z.object({
  /** A full sentence; null if there are pictures. */
  error: z.string().nullable(),
  video: liveVideo.nullable(),
  klv: z.boolean(),
  /** Platform Designation of the telemetry (ST 0601, tag 10). */
  designation: z.string().nullable(),
  /** Highest security mark (ST 0102) found. */
  rank: z.int().nullable(),
  /** Tables, then packets from a key frame on, in base64. */
  packets: z.string().nullable(),
});
export type Probed = z.output<typeof probed>;

/** The result of a probe that found nothing. `error`: a full sentence. */
export const nothingProbed = (error: string): Probed => ({
  error,
  ...{ video: null, klv: false, designation: null, rank: null, packets: null },
});

/** Messages to the recorder. Those with a `request` are replied to by `answer`, a probe by `probed`. */
export const toRecorder = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('orders'), orders }),
  /** Begins a recording, or adds its sensors to the running one of the same missionId. */
  z.object({ kind: z.literal('record'), request: z.int(), recording, preRoll: z.boolean() }),
  z.object({
    kind: z.literal('stop'),
    request: z.int(),
    missionId: uuid,
    /** Sensors by liveSensorId; null for all. */
    sensors: z.array(uuid).nullable(),
  }),
  /** Resumes a sensor that was set aside. */
  z.object({ kind: z.literal('retry'), request: z.int(), sensorId: uuid }),
  /** The row of the mission changed during recording; replied to when the journal has the change. */
  z.object({ kind: z.literal('describe'), request: z.int(), missionId: uuid, description: recordingDescription }),
  /** The rows of a stopped recording are complete: its journal can be removed. */
  z.object({ kind: z.literal('settled'), missionId: uuid }),
  /** Starts media frames of a sensor, from the last key frame in memory; `unwatch` stops them. */
  z.object({ kind: z.literal('watch'), sensorId: uuid }),
  z.object({ kind: z.literal('unwatch'), sensorId: uuid }),
  /** Opens an address that is not in the orders, until its first pictures arrive; `probeEnd` stops it earlier. */
  z.object({ kind: z.literal('probe'), request: z.int(), order: sourceOrder }),
  z.object({ kind: z.literal('probeEnd'), request: z.int() }),
  /** Stops the recorder in an orderly way: closes files, keeps journals as they are. */
  z.object({ kind: z.literal('end') }),
]);
export type ToRecorder = z.output<typeof toRecorder>;

export const fromRecorder = z.discriminatedUnion('kind', [
  /**
   * The first message to each connection: the full state. On the socket `ring` and `segments` are empty and follow in
   * `known` messages, since days of recordings exceed a frame; client.ts reassembles them.
   */
  z.object({
    kind: z.literal('hello'),
    protocol: z.int(),
    pid: z.int(),
    hasOrders: z.boolean(),
    sources: z.array(sourceState),
    recordings: z.array(recording),
    /** AIS files that are still growing; all others have ended. */
    ais: z.array(aisFile),
    ring: z.array(ringSegment),
    segments: z.array(recordedSegment),
  }),
  z.object({
    kind: z.literal('known'),
    ring: z.array(ringSegment),
    segments: z.array(recordedSegment),
    isLast: z.boolean(),
  }),
  z.object({ kind: z.literal('source'), source: sourceState }),
  z.object({ kind: z.literal('sourceGone'), sensorId: uuid }),
  z.object({ kind: z.literal('ais'), file: aisFile }),
  /** The full journal, sent whenever anything has changed; changes of sizes and durations at most once a second. */
  z.object({ kind: z.literal('recording'), recording }),
  z.object({ kind: z.literal('ring'), segment: ringSegment }),
  /** The segments below `first` were removed. */
  z.object({ kind: z.literal('ringCut'), sensorId: uuid, first: z.int() }),
  z.object({ kind: z.literal('segment'), segment: recordedSegment }),
  /** A security mark (ST 0102) found in the stream, with rank 1 to 5. */
  z.object({ kind: z.literal('mark'), sensorId: uuid, platformId: uuid, missionId: uuid.nullable(), rank: z.int() }),
  /** Shown as "Recorder error: {info}". */
  z.object({
    kind: z.literal('error'),
    info: z.string(),
    platformId: uuid.nullable(),
    missionId: uuid.nullable(),
  }),
  z.object({ kind: z.literal('answer'), request: z.int(), error: z.string().nullable() }),
  z.object({ kind: z.literal('probed'), request: z.int(), result: probed }),
]);
export type FromRecorder = z.output<typeof fromRecorder>;
export type Hello = Extract<FromRecorder, { kind: 'hello' }>;

/**
 * Payload of a media frame: sensor (16 bytes of its UUID), arrival (f64, UTC microseconds), flags (u8; 1: this watcher
 * missed bytes before these, or they are its first), then complete transport packets of 188 bytes. Payload of a klv
 * frame, sent to all connections for every online sensor: sensor (16), arrival (f64), PTS (f64, 33-bit 90 kHz ticks;
 * that of the last picture if the packet has none, NaN before the first), PID of its stream (u16), then one KLV packet.
 */
export const BINARY_HEAD = {
  sensor: 0,
  arrival: 16,
  media: { flags: 24, bytes: 25 },
  klv: { pts: 24, pid: 32, bytes: 34 },
} as const;
