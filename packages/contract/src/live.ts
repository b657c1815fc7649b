import { z } from 'zod';
import { classification } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { DESCRIPTION_MAX } from './core/limits.ts';
import { audiences, missionName, tag } from './missions.ts';
import { platformName } from './platforms.ts';
import { sensorName } from './sensors.ts';

const platformControl = z.strictObject({
  /** Names the platform among those visible; its id is taken too. */
  platformName: z.union([id, platformName]),
  platformType: z.string().max(64).optional(),
  sensors: z.array(sensorName).max(64).default([]),
  stopMission: z.boolean().default(false),
  record: z.boolean().optional(),
  /** Left out: {platform}-{yyyyMMdd-HHmmss}. */
  missionName: missionName.optional(),
  description: z.string().max(DESCRIPTION_MAX).default(''),
  /** Ids; left out: those of the platform. */
  usergroups: z.array(id).max(200).optional(),
  audience: z.enum(audiences).optional(),
  /** Left out: that of the platform. Never below it. */
  securityClassification: classification.optional(),
  tags: z.array(tag).max(50).default([]),
  /** As the specification sends it; the configuration of the platform alone decides. */
  autostart: z.boolean().optional(),
});
export type PlatformControl = z.output<typeof platformControl>;

const platformControlled = z.object({
  message: z.string(),
  mission: z.object({ _id: id, name: z.string() }).nullable(),
  /** Differences between the request and its result, also as header `Warning: 199 osprey "…"`. */
  warning: z.string().nullable(),
});
export type PlatformControlled = z.output<typeof platformControlled>;

/**
 * Switches sources on and off, and begins and ends recordings. Empty `sensors` mean all of it.
 *
 * - start with `record`: begins a mission, or goes on with the running one of this platform for sensors not yet in it.
 * - start without `record`: only switches the sources on.
 * - stop: ends the recording of these sensors; the last one ends the mission. With `stopMission` the mission ends whole.
 *   With `record: false` the sources are switched off too.
 */
export const controlPlatform = defineCall({
  method: 'POST',
  path: '/platforms/control',
  summary: 'Starts and stops streams and recordings of a platform',
  action: 'platform.control',
  input: z.object({
    query: z.strictObject({ command: z.enum(['start', 'stop']) }),
    body: platformControl,
  }),
  /** `warning` says what was done otherwise than asked, also as header `Warning: 199 osprey "…"`. */
  answer: platformControlled,
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'notFound',
    'missionNameTaken',
    'labelAboveGroup',
    'unknownUsergroup',
    'hidesFromMaker',
    'ruleRefused',
    'unavailable',
    'diskFull',
  ],
});

const params = z.object({ sensor: id });

export const chooseLiveKlv = defineCall({
  method: 'PUT',
  path: '/live/:sensor/klv',
  summary:
    'Chooses which of several KLV streams of a live sensor is shown and recorded as its telemetry; null leaves it to the rules',
  action: 'platform.control',
  input: z.object({ params, body: z.strictObject({ pid: z.int().min(0).max(8190).nullable() }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

const mediaQuery = { token: z.string().max(2048).optional() };
const media = { method: 'GET', action: 'platform.watch', answer: z.unknown(), raw: 'media' } as const;

/**
 * `mode=ll`: the last half minute with parts, blocking reloads and PART-HOLD-BACK (LL-HLS). `mode=dvr`: from the start
 * of the running recording, else what the ring on disk holds; EXT-X-PROGRAM-DATE-TIME on every segment. While stream or
 * recording are just beginning: 503 liveStarting with Retry-After.
 */
export const getLivePlaylist = defineCall({
  ...media,
  path: '/live/:sensor/index.m3u8',
  summary: 'Returns the HLS playlist of a live sensor',
  input: z.object({
    params,
    query: z.object({
      ...mediaQuery,
      mode: z.enum(['ll', 'dvr']).default('dvr'),
      _HLS_msn: z.coerce.number().int().min(0).optional(),
      _HLS_part: z.coerce.number().int().min(0).optional(),
      /** With `_HLS_msn`: of `mode=dvr`, what the player does not have yet. */
      _HLS_skip: z.enum(['YES', 'v2']).optional(),
    }),
  }),
  errors: ['invalid', 'notSignedIn', 'notFound', 'liveStarting', 'unavailable'],
});

/** `{n}.ts`: segment n of the ring, whole or a byte range, while it grows too. `{fileId}-{n}.ts`: of a file of the running recording. */
export const getLiveFile = defineCall({
  ...media,
  path: '/live/:sensor/:file',
  summary: 'Returns bytes of a live sensor',
  input: z.object({
    params: z.object({ sensor: id, file: z.string().regex(/^(?:\d{1,12}|[0-9a-f-]{36}-\d{1,9})\.ts$/) }),
    query: z.object(mediaQuery),
  }),
  errors: ['notSignedIn', 'notFound', 'rangeNotSatisfiable', 'liveStarting'],
});

const exported = {
  method: 'GET',
  action: 'platform.export',
  errors: ['notSignedIn', 'guestDownload', 'forbidden', 'notFound', 'liveStarting'],
} as const;

/**
 * The packets as received, except PAT, PMT and an added stream with the platform's label. The server keeps no copy. A
 * sensor that is being recorded is refused with 422: its mission has the clip.
 */
export const exportLive = defineCall({
  ...exported,
  path: '/live/:sensor/export',
  summary: 'Exports what the ring holds of a live sensor that is not recorded, as a transport stream',
  raw: 'media',
  input: z.object({ params }),
  answer: z.unknown(),
  errors: [...exported.errors, 'ruleRefused', 'tooManyRequests', 'diskFull'],
});

export const planLiveExport = defineCall({
  ...exported,
  path: '/live/:sensor/exportPlan',
  summary: 'Returns what exportLive would return now: name, size and times, or why it would refuse',
  input: z.object({ params }),
  answer: z.object({
    /** Null where nothing is kept. */
    fileName: z.string().nullable(),
    /** Size of the packets in the ring; the label adds some. */
    sizeBytes: z.int(),
    /** Arrival of the first picture, and of the end of the last one. */
    startTime: micros.nullable(),
    endTime: micros.nullable(),
    /** Length of the pictures, without what was lost between them. */
    durationSeconds: z.number(),
    /** Reason why an export would be refused, as a sentence; null if it would not. */
    refusal: z.string().nullable(),
  }),
});

/** WHEP (RFC 9725): body application/sdp, answer 201 application/sdp with Location. */
export const openWhep = defineCall({
  method: 'POST',
  path: '/live/:sensor/whep',
  summary: 'Opens a WebRTC session for a live sensor: takes an SDP offer and returns an SDP answer',
  action: 'platform.watch',
  input: z.object({ params, body: z.string().min(1).max(65_536) }),
  answer: z.unknown(),
  raw: 'sdp',
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'notFound',
    'ruleRefused',
    'tooManyRequests',
    'liveStarting',
    'unavailable',
    'unsupportedMediaType',
  ],
});

export const closeWhep = defineCall({
  method: 'DELETE',
  path: '/live/:sensor/whep/:session',
  summary: 'Ends a WebRTC session',
  action: 'platform.watch',
  input: z.object({ params: z.object({ sensor: id, session: id }) }),
  answer: z.object({ message: z.string() }),
  errors: ['notSignedIn', 'notFound', 'liveStarting'],
});

/** Where the socket of live sensors is, below the origin of the page. */
export const LIVE_SOCKET_PATH = '/api/live/socket';

/**
 * First message of a client: text, JSON. The ticket is that of the events socket (one use, 30 s). Telemetry comes with
 * every mode; pictures (`video`) are the mode lowLatency and need Preview.
 */
export const liveSocketHello = z.strictObject({ ticket: z.string().max(256), sensor: id, video: z.boolean() });

/** Most telemetry of one request while watching the past of a live stream. */
export const PAST_TELEMETRY_MAX_US = 30_000_000;

/**
 * Any further message of a client: asks for the telemetry of pictures that arrived between two times, UTC by the
 * server's clock as in EXT-X-PROGRAM-DATE-TIME. One request at a time: further ones are ignored until the last `past`
 * message has come.
 */
export const liveSocketAsk = z
  .strictObject({ kind: z.literal('past'), from: micros, to: micros })
  .refine(({ from, to }) => from < to && to - from <= PAST_TELEMETRY_MAX_US);
export type LiveSocketAsk = z.output<typeof liveSocketAsk>;

/**
 * `pts`: 90 kHz ticks as in the stream; for a set without PTS, that of the last picture before it. Compare modulo 2^32:
 * players count in 33 bits, RTP in 32.
 */
const liveSet = {
  pts: z.number(),
  /** PID of its KLV stream: sets of different streams belong to different series. */
  pid: z.int(),
  time: micros,
  /** As a row of `telemetryPage`: by tag number. */
  tags: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  sets: z.looseObject({}).nullable(),
};

/**
 * Text messages of the server. Binary messages are media for MSE: an initialisation segment after each `video` message,
 * then one fragment a picture.
 */
export const liveSocketMessage = z.discriminatedUnion('kind', [
  /** Before each initialisation segment. `firstPts`: 90 kHz ticks at media time 0 of the fragments. */
  z.object({ kind: z.literal('video'), mimeType: z.string(), firstPts: z.number() }),
  z.object({ kind: z.literal('telemetry'), ...liveSet }),
  /** Response to `past`, a piece at a time; `to` is how far the answer has come, `last` ends it. */
  z.object({ kind: z.literal('past'), from: micros, to: micros, rows: z.array(z.object(liveSet)), last: z.boolean() }),
  /** Pictures were left out because this client is too slow. */
  z.object({ kind: z.literal('dropped'), pictures: z.int() }),
  /**
   * The last message of a session, which the server ends: a sentence for the user, and the error code if an error was
   * the cause.
   */
  z.object({ kind: z.literal('end'), text: z.string(), code: z.string().optional() }),
]);
export type LiveSocketMessage = z.output<typeof liveSocketMessage>;
