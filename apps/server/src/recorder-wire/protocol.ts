import { type LiveSensor, liveSensor, liveVideo, sensorTypes, streamStates } from '@osprey/contract';
import { z } from 'zod';

/**
 * Protocol between the recorder and the other processes, over a local socket in `OSPREY_DATA/live`. The recorder needs
 * neither a database nor them: its orders are in `live/orders.json`, each recording's journal in
 * `live/journals/{missionId}.json`, both written to a temporary name, synced and renamed.
 *
 * A message is a frame: length (u32, big endian, of what follows it), one byte for the kind, then the payload.
 */
export const FRAME = { json: 0, media: 1, klv: 2 } as const;
/** Far above what any message holds; more is no frame of ours. */
export const FRAME_MAX = 64 * 1024 * 1024;

/** Rises when a message changes its meaning: a main of another version ends the recorder that it finds. */
export const PROTOCOL = 5;

/** Times are UTC microseconds, ranks 1 to 5, secrets sealed with `keys/platforms.key` (base/access/secret-box.ts). */
const micros = z.int();
const uuid = z.uuid();

export const sourceOrder = z.object({
  sensorId: uuid,
  name: z.string(),
  type: z.enum(sensorTypes),
  /** Passwords are replaced by ***. */
  url: z.string(),
  secret: z.string().nullable(),
  /** Addresses or networks that may send; empty: any. */
  senders: z.array(z.string()),
  on: z.boolean(),
  /** Reason for the operator why it must not be on, in spite of its switch. */
  refused: z.string().optional(),
  /** PID of the KLV stream that a user chose to be shown; left out: by the rules. */
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
  /** 1 is recorded longest when there is not enough for all. */
  priority: z.int(),
  record: z.object({ onPresence: z.boolean(), schedule: z.array(z.string()), preRollSeconds: z.int() }),
  sensors: z.array(sourceOrder),
});
export type PlatformOrder = z.output<typeof platformOrder>;

/** The whole of what is wanted; replaces the orders before it. Recordings go on when their platform is taken away. */
export const orders = z.object({
  platforms: z.array(platformOrder),
  /** Platforms that rules may record at once, those recorded by command included; left out: all. */
  recordingsMax: z.int().optional(),
});
export type Orders = z.output<typeof orders>;

/** One file of a recording, `originals/{sensorId}/{fileId}.ts` of the storage, at its final place from the first byte. */
export const recordedFile = z.object({
  fileId: uuid,
  startedUs: micros,
  /** Null while it is written. */
  endedUs: micros.nullable(),
  sizeBytes: z.int(),
  /** Hash of all its bytes, made while they were written; left out if that was not possible, and until its end. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  durationSeconds: z.number(),
  segments: z.int(),
  /** True if the index of the file was written during the recording, so that ingest need not read the file again. */
  indexed: z.boolean(),
  /** A sync failed: what it holds cannot be relied on. */
  suspect: z.boolean(),
  /** PID of the KLV stream that a user had chosen when it ended; left out: by the rules. */
  klvPid: z.int().optional(),
  /** Why it begins: `start`, `restart` of the recorder, `clock` jump, `stream` came back, `sync` failed before it. */
  cause: z.enum(['start', 'restart', 'clock', 'stream', 'sync']),
});
export type RecordedFile = z.output<typeof recordedFile>;

/** From the first to the last packet that was dropped because the disk did not keep up; null: it may go on. */
const overflow = z.object({ startedUs: micros, endedUs: micros.nullable(), packets: z.int() });
export type Overflow = z.output<typeof overflow>;

export const recordedSensor = z.object({
  /** Sensor of the platform, and the sensor of the mission made for it. */
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

/** The journal of a recording: all that is needed to make or mend its rows when the database is there. */
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
  /** Reason of an automatic end: `disk full`, `stream ended`, `schedule`; null when a user stopped it. */
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
  /** Taken, those with a wrong checksum too. */
  sentences: z.int(),
  /** Over the last seconds. */
  perSecond: z.number(),
  checksumFaults: z.int(),
  /** Beyond 5,000 a second. */
  dropped: z.int(),
  /** Lines in which no AIS sentence (NMEA 0183) was found. */
  otherLines: z.int(),
  /** When the last sentence came. */
  lastUs: micros.nullable(),
});
export type AisCounts = z.output<typeof aisCounts>;

/** A file of AIS (ais-files.ts) and the size of its whole lines. It grows until `ended`. */
export const aisFile = z.object({ key: z.string(), sizeBytes: z.int(), ended: z.boolean() });
export type AisFile = z.output<typeof aisFile>;

export type KlvStreams = NonNullable<LiveSensor['klvStreams']>;

/** State of one source. Sent when the state changes, and with new counts at most once a second. */
export const sourceState = z.object({
  sensorId: uuid,
  platformId: uuid,
  on: z.boolean(),
  state: z.enum(streamStates).exclude(['partial']),
  since: micros,
  /** Start of the current stream. */
  startedUs: micros.nullable(),
  bytes: z.int(),
  bitsPerSecond: z.number(),
  packets: z.int(),
  /** Missing transport or RTP packets. */
  lost: z.int(),
  /** RTP packets that came late but in time to be put in order. */
  reordered: z.int(),
  /** Datagrams from addresses that are not on the list, and what a flood was cut by. */
  refused: z.int(),
  jitterMs: z.number().nullable(),
  video: liveVideo.nullable(),
  klv: z.boolean(),
  /** Left out where it has one KLV stream at most. */
  klvStreams: liveSensor.shape.klvStreams,
  /** Only for a source of AIS, and a stream with AIS in private data. */
  ais: aisCounts.optional(),
  /** Set aside: reading the stream failed twice within a minute. It is off until then, whatever was ordered. */
  aside: z.object({ sinceUs: micros, untilUs: micros }).optional(),
  /** A whole sentence; null while all is well. */
  error: z.string().nullable(),
});
export type SourceState = z.output<typeof sourceState>;

/**
 * One segment of the ring, `live/ring/{sensorId}/{n}.ts`: begins at a key frame with PAT and PMT in front. `n` only
 * grows, over restarts too. Sent again with each new part; `done` with the last.
 */
export const ringSegment = z.object({
  sensorId: uuid,
  n: z.int(),
  /** UTC of its first picture by the receiver's clock. */
  startUs: micros,
  firstPtsTicks: z.number(),
  durationSeconds: z.number(),
  sizeBytes: z.int(),
  /** The clock jumped, or the stream was away, before it. */
  discontinuity: z.boolean(),
  /** How many such breaks there were up to its beginning; as `n`, over restarts too. */
  breaks: z.int(),
  done: z.boolean(),
  parts: z.array(
    z.object({ offset: z.int(), sizeBytes: z.int(), durationSeconds: z.number(), independent: z.boolean() }),
  ),
});
export type RingSegment = z.output<typeof ringSegment>;

/** A segment of a running recording that is whole in the file. `n` counts within the file from 0. */
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

/** To the recorder. Those with a `request` are answered by `answer`. */
export const toRecorder = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('orders'), orders }),
  /** Begins a recording, or adds its sensors to the running one of the same missionId. */
  z.object({ kind: z.literal('record'), request: z.int(), recording, preRoll: z.boolean() }),
  z.object({
    kind: z.literal('stop'),
    request: z.int(),
    missionId: uuid,
    /** By liveSensorId; null: all. */
    sensors: z.array(uuid).nullable(),
  }),
  /** Reads a sensor again that was set aside. */
  z.object({ kind: z.literal('retry'), request: z.int(), sensorId: uuid }),
  /** The row of its mission changed while it runs: answered when the journal says so too. */
  z.object({ kind: z.literal('describe'), request: z.int(), missionId: uuid, description: recordingDescription }),
  /** The rows of a stopped recording are right: its journal can go. */
  z.object({ kind: z.literal('settled'), missionId: uuid }),
  /** Media frames of a sensor from now on, beginning with the ring's last key frame; or no more. */
  z.object({ kind: z.literal('watch'), sensorId: uuid }),
  z.object({ kind: z.literal('unwatch'), sensorId: uuid }),
  /** Ends the recorder in good order: closes files, keeps journals as they are. */
  z.object({ kind: z.literal('end') }),
]);
export type ToRecorder = z.output<typeof toRecorder>;

export const fromRecorder = z.discriminatedUnion('kind', [
  /**
   * First, to everybody who connects: all that is. On the way `ring` and `segments` are empty: they follow in `known`,
   * since days of recordings are more than a frame, and client.ts puts them back.
   */
  z.object({
    kind: z.literal('hello'),
    protocol: z.int(),
    pid: z.int(),
    hasOrders: z.boolean(),
    sources: z.array(sourceState),
    recordings: z.array(recording),
    /** Files of AIS that grow; all others are ended. */
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
  /** Whole, when anything of it changed; sizes and lengths at most once a second. */
  z.object({ kind: z.literal('recording'), recording }),
  z.object({ kind: z.literal('ring'), segment: ringSegment }),
  /** Segments below `first` are gone. */
  z.object({ kind: z.literal('ringCut'), sensorId: uuid, first: z.int() }),
  z.object({ kind: z.literal('segment'), segment: recordedSegment }),
  /** ST 0102 mark found in the stream: rank 1 to 5. */
  z.object({ kind: z.literal('mark'), sensorId: uuid, platformId: uuid, missionId: uuid.nullable(), rank: z.int() }),
  /** Shown as "Recorder error: {info}". */
  z.object({
    kind: z.literal('error'),
    info: z.string(),
    platformId: uuid.nullable(),
    missionId: uuid.nullable(),
  }),
  z.object({ kind: z.literal('answer'), request: z.int(), error: z.string().nullable() }),
]);
export type FromRecorder = z.output<typeof fromRecorder>;
export type Hello = Extract<FromRecorder, { kind: 'hello' }>;

/**
 * Payload of a media frame: sensor (16 bytes of its UUID), arrival (f64, UTC microseconds), flags (u8, 1: bytes before
 * this were lost to this watcher, or it is the first), then whole transport packets of 188 bytes. Payload of a klv
 * frame: sensor (16), arrival (f64), PTS (f64, 33-bit 90 kHz ticks, that of the last picture where the packet has none,
 * NaN before the first), PID of its stream (u16), then one KLV packet. Sent for every online sensor to all connections.
 */
export const BINARY_HEAD = {
  sensor: 0,
  arrival: 16,
  media: { flags: 24, bytes: 25 },
  klv: { pts: 24, pid: 32, bytes: 34 },
} as const;
