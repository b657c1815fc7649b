import { z } from 'zod';
import { classification, classificationWord } from './access/labels.ts';
import { defineCall, id, micros } from './core/call.ts';
import { DESCRIPTION_MAX, NAME_MAX } from './core/limits.ts';
import { streamStates } from './live-state.ts';
import { platformTypes } from './lookups.ts';
import { audiences } from './missions.ts';
import { klvChosenBy, klvStreamCounts, sensorName, sensorTypes } from './sensors.ts';
import { liveModes } from './usergroups.ts';

/** 1 to 64 characters; no comma, backslash or control character, since names are used in lists and addresses. */
export const platformName = z
  .string()
  .trim()
  .min(1, 'Empty platform name')
  .max(NAME_MAX, `The name is longer than ${NAME_MAX} characters`)
  .regex(/^[^,\\\p{C}]*$/u, 'Commas, backslashes and control characters are not allowed');

/** Shown instead of the password in an address. */
export const HIDDEN_SECRET = '***';

/** Days and hours (UTC) in which a platform is recorded: `Mon-Fri 06:00-18:00`, `Sun 00:00-24:00`. */
export const recordWindow = z
  .string()
  .regex(
    /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:-(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun))? (?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
    'Not a time of the week: write for example Mon-Fri 06:00-18:00 (UTC)',
  );

type Rules = { onPresence: boolean; schedule: readonly string[] };

/** Default number of seconds recorded from before the start: 30 if a rule starts recordings, 0 if only people do. */
export const preRollDefault = ({ onPresence, schedule }: Rules): number => (onPresence || schedule.length > 0 ? 30 : 0);

export const platformRecord = z
  .strictObject({
    /** Starts recording when a picture arrives, and ends it when no more pictures arrive. */
    onPresence: z.boolean().default(false),
    /** Time windows in which the platform is recorded; empty if there are none. */
    schedule: z.array(recordWindow).max(50).default([]),
    /** Number of seconds kept from before the start of the recording. Defaults to `preRollDefault`. */
    preRollSeconds: z.int().min(0).max(300).optional(),
  })
  .transform(({ preRollSeconds, ...rules }) => ({ ...rules, preRollSeconds: preRollSeconds ?? preRollDefault(rules) }))
  .pipe(z.object({ onPresence: z.boolean(), schedule: z.array(z.string()), preRollSeconds: z.int() }));
export type PlatformRecord = z.output<typeof platformRecord>;

export const platformSensorConfig = z.strictObject({
  name: sensorName,
  description: z.string().max(DESCRIPTION_MAX).default(''),
  type: z.enum(sensorTypes).default('video'),
  url: z.string().min(1, 'The address is missing').max(1000),
  /** Addresses or networks that may send; empty means any sender. */
  from: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'Not an address or a network'))
    .max(50)
    .default([]),
});
export type PlatformSensorConfig = z.output<typeof platformSensorConfig>;

/** One platform of the file platforms.yml. */
export const platformConfig = z.strictObject({
  name: platformName,
  description: z.string().max(DESCRIPTION_MAX).default(''),
  type: z.enum(platformTypes).default('Plane'),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'Not a colour: use "#rrggbb"')
    .default('#004dcf'),
  /** Defaults to the highest label of the installation, so that a forgotten line publishes nothing. */
  securityClassification: classification.optional(),
  audience: z.enum(audiences).default('groups'),
  /** Usergroups by name. */
  usergroups: z.array(z.string().trim().min(1).max(64)).max(200).default([]),
  /** Priority when capacity is short: 1 is served first. */
  priority: z.int().min(1).max(9).default(5),
  autostart: z.boolean().default(false),
  record: platformRecord.prefault({}),
  sensors: z.array(platformSensorConfig).max(64).default([]),
});
export type PlatformConfig = z.output<typeof platformConfig>;

/** The whole file: either `platforms:` with a list, or the list alone. */
export const platformsFile = z.union([
  z.strictObject({ platforms: z.array(platformConfig).max(1000) }).transform(({ platforms }) => platforms),
  z.array(platformConfig).max(1000),
]);

/** Video format of a sensor's stream, according to its parameter sets. */
export const liveVideo = z.object({
  codec: z.enum(['h264', 'h265', 'mpeg2', 'mpeg4']),
  width: z.int(),
  height: z.int(),
  frameRate: z.number().nullable(),
  hasBFrames: z.boolean().nullable(),
  /** True for 8-bit 4:2:0 progressive H.264, which every browser can play. */
  browserPlayable: z.boolean(),
});

/** Recording fields that rows of sensors and of platforms share. Null while there is no recording. */
const recordState = {
  /** True while the platform is being recorded; the condition of its stream is `state`. */
  live: z.boolean(),
  mission: id.nullable(),
  missionName: z.string().nullable(),
  recordingStartTime: micros.nullable(),
  /** Duration recorded so far, in seconds, without gaps. */
  duration: z.number().nullable(),
  /** HLS segments recorded so far. */
  segments: z.int().nullable(),
  sizeBytes: z.int().nullable(),
};

/**
 * Server and port from which pictures of a row are received over a WebSocket. Null means this server itself, at
 * LIVE_SOCKET_PATH of the address that the client used.
 */
const rowConfig = z.object({ wsVideoStreamPort: z.null(), serverHostName: z.null() });

/** A sensor of a platform, as sent to its viewers. */
export const liveSensor = z.object({
  _id: id,
  /** Same as `_id`; rows also carry it under this name. */
  id,
  /** Id of the platform. */
  parentId: id,
  parentPlatformName: z.string(),
  parentPlatformType: z.string(),
  /** True while the platform is being recorded, whether or not this sensor is included. */
  parentPlatformLive: z.boolean(),
  /** Names of the platform and of the sensor, as in every row. */
  platform: z.string(),
  sensor: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.string(),
  /** Address of the stream without its password; null for those who may not control the platform. */
  url: z.string().nullable(),
  /** True if the source of the sensor is switched on. */
  on: z.boolean(),
  state: z.enum(streamStates).exclude(['partial']),
  /** Time since which the stream has been in this state. */
  since: micros.nullable(),
  /** Time at which the current stream came online. */
  startTime: micros.nullable(),
  ...recordState,
  /** Sensor of `mission` into which this sensor is recorded. */
  missionSensor: id.nullable(),
  config: rowConfig,
  recorderInfo: z.object({
    info: z.object({ totalSegments: z.int() }).nullable(),
    /** Error as a whole sentence. */
    error: z.string().nullable(),
  }),
  video: liveVideo.nullable(),
  klv: z.boolean(),
  /**
   * KLV streams, if there are several, with counts since the stream came online. `chosen`: PID of the stream being
   * shown, null before the first set. `wanted`: PID chosen by a user; another stream is shown until this one arrives.
   */
  klvStreams: z
    .object({
      chosen: z.int().nullable(),
      by: z.enum(klvChosenBy),
      wanted: z.int().nullable(),
      streams: z.array(klvStreamCounts),
    })
    .nullable()
    .optional(),
  /** Bit rate over the last 2 s, in bits per second. */
  bitrate: z.number().nullable(),
  /** Number of transport or RTP packets lost since the stream came online. */
  lostPackets: z.int().nullable(),
  /** Number of RTP packets that arrived out of order but early enough to be reordered. */
  reorderedPackets: z.int().nullable(),
  /**
   * Number of datagrams refused: because the sender is not allowed, because of flooding, or because they are not part
   * of a stream.
   */
  refusedPackets: z.int().nullable(),
  /** Interarrival jitter of RTP (RFC 3550), in milliseconds. */
  jitter: z.number().nullable(),
  /** Counters of an AIS receiver since its source was switched on. */
  ais: z
    .object({
      sentences: z.int(),
      /** Rate averaged over the last few seconds. */
      perSecond: z.number(),
      checksumFaults: z.int(),
      /** Number of sentences dropped because they exceeded 5,000 per second. */
      dropped: z.int(),
    })
    .nullable()
    .optional(),
  /**
   * Set when reading this stream failed twice within a minute: the source is then off until `until`, unless somebody
   * starts it, which retries immediately.
   */
  aside: z.object({ since: micros, until: micros }).nullable().optional(),
});
export type LiveSensor = z.output<typeof liveSensor>;

/** A platform, as sent to its viewers. */
export const livePlatform = z.object({
  _id: id,
  /** Same as `_id`; rows also carry it under this name. */
  id,
  name: z.string(),
  /** Name of the platform, as in every row; `sensor` is set in rows of sensors. */
  platform: z.string(),
  sensor: z.null(),
  description: z.string(),
  type: z.string(),
  presentation: z.object({ color: z.string() }),
  securityClassification: classificationWord,
  /** False if the label was never chosen. */
  marked: z.boolean(),
  audience: z.enum(audiences),
  /** Ids of usergroups; only those that the caller may know of. */
  usergroups: z.array(id),
  priority: z.int(),
  autostart: z.boolean(),
  state: z.enum(streamStates),
  ...recordState,
  config: rowConfig,
  /** Modes other than HLS that the usergroups allow the caller. */
  liveModes: z.array(z.enum(liveModes)),
  sensors: z.array(liveSensor),
});
export type LivePlatform = z.output<typeof livePlatform>;

export const listPlatforms = defineCall({
  method: 'GET',
  path: '/platforms',
  summary: 'Lists platforms visible to the caller, by name',
  action: 'platform.list',
  input: z.object({}),
  answer: z.array(livePlatform),
  errors: ['notSignedIn'],
});
