import { z } from 'zod';
import { classification } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { DESCRIPTION_MAX } from './core/limits.ts';
import { audiences, missionName, tag } from './missions.ts';
import { platformName } from './platforms.ts';
import { sensorName } from './sensors.ts';

const platformControl = z.strictObject({
  /** Name or id of a platform that is visible to the caller. */
  platformName: z.union([id, platformName]),
  platformType: z.string().max(64).optional(),
  sensors: z.array(sensorName).max(64).default([]),
  stopMission: z.boolean().default(false),
  record: z.boolean().optional(),
  /** Defaults to {platform}-{yyyyMMdd-HHmmss}. */
  missionName: missionName.optional(),
  description: z.string().max(DESCRIPTION_MAX).default(''),
  /** Ids of usergroups; defaults to those of the platform. */
  usergroups: z.array(id).max(200).optional(),
  audience: z.enum(audiences).optional(),
  /** Defaults to the label of the platform, and must not be below it. */
  securityClassification: classification.optional(),
  tags: z.array(tag).max(50).default([]),
  /** Accepted because the specification defines it, but ignored: only the platform's configuration decides. */
  autostart: z.boolean().optional(),
});
export type PlatformControl = z.output<typeof platformControl>;

const platformControlled = z.object({
  message: z.string(),
  mission: z.object({ _id: id, name: z.string() }).nullable(),
  /** Differences between the request and its result; also sent as the header `Warning: 199 osprey "…"`. */
  warning: z.string().nullable(),
});
export type PlatformControlled = z.output<typeof platformControlled>;

/**
 * Switches sources on and off, and starts and stops recordings. An empty `sensors` means all sensors of the platform.
 *
 * - start with `record`: starts a mission, or adds sensors to the running mission of this platform that do not yet
 *   belong to it.
 * - start without `record`: only switches the sources on.
 * - stop: ends the recording of these sensors; ending the last one ends the mission. With `stopMission` the whole
 *   mission ends.
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
  /**
   * `warning` states how the result differs from the request; it is also sent as the header `Warning: 199 osprey "…"`.
   */
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
 * `mode=ll`: the last 30 seconds with parts, blocking reloads and PART-HOLD-BACK (LL-HLS). `mode=dvr`: from the start
 * of the running recording, or else everything in the ring buffer on disk, with EXT-X-PROGRAM-DATE-TIME on every
 * segment. While the stream or the recording is just starting: 503 liveStarting with Retry-After.
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
      /** With `_HLS_msn` and `mode=dvr`: the playlist contains only the segments that the player does not have yet. */
      _HLS_skip: z.enum(['YES', 'v2']).optional(),
    }),
  }),
  errors: ['invalid', 'notSignedIn', 'notFound', 'liveStarting', 'unavailable'],
});

/**
 * `{n}.ts`: segment n of the ring buffer, whole or as a byte range, even while it is still growing. `{fileId}-{n}.ts`:
 * segment n of a file of the running recording.
 */
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
 * Exports the packets as received, except for PAT, PMT and an added stream that carries the platform's label. The
 * server keeps no copy. For a sensor that is being recorded, the call is refused with 422: use the clip export of its
 * mission instead.
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
    /** Null if nothing is stored. */
    fileName: z.string().nullable(),
    /** Size of the packets in the ring buffer, in bytes; the label adds a little more. */
    sizeBytes: z.int(),
    /** Arrival time of the first picture (`startTime`) and of the end of the last one (`endTime`). */
    startTime: micros.nullable(),
    endTime: micros.nullable(),
    /** Duration of the pictures, without gaps where pictures were lost. */
    durationSeconds: z.number(),
    /** Reason why an export would be refused, as a sentence; null if it would be allowed. */
    refusal: z.string().nullable(),
  }),
});

/** WHEP (RFC 9725): the body is application/sdp, and the answer is 201 with application/sdp and Location. */
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

/** Path of the WebSocket for live sensors, relative to the page's origin. */
export const LIVE_SOCKET_PATH = '/api/live/socket';

/**
 * First message of a client, as JSON text. The ticket is of the same kind as for the events socket (single use, valid
 * for 30 s). Telemetry is sent in every mode; pictures are sent if `video` is true, which is the mode lowLatency and
 * needs Preview.
 */
export const liveSocketHello = z.strictObject({ ticket: z.string().max(256), sensor: id, video: z.boolean() });

/** Maximum time span of telemetry in one request when watching the past of a live stream, in microseconds. */
export const PAST_TELEMETRY_MAX_US = 30_000_000;

/**
 * Any later message of a client: requests the telemetry of pictures that arrived between two times, which are UTC by
 * the server's clock, as in EXT-X-PROGRAM-DATE-TIME. Only one request can be pending: others are ignored until the last
 * `past` message has been sent.
 */
export const liveSocketAsk = z
  .strictObject({ kind: z.literal('past'), from: micros, to: micros })
  .refine(({ from, to }) => from < to && to - from <= PAST_TELEMETRY_MAX_US);
export type LiveSocketAsk = z.output<typeof liveSocketAsk>;

/**
 * `pts`: in 90 kHz ticks, as in the stream; a set without PTS gets the PTS of the last picture before it. Compare
 * values modulo 2^32, since players count in 33 bits and RTP in 32.
 */
const liveSet = {
  pts: z.number(),
  /** PID of the KLV stream: sets of different streams belong to different series. */
  pid: z.int(),
  time: micros,
  /** Values by tag number, as in a row of `telemetryPage`. */
  tags: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  sets: z.looseObject({}).nullable(),
};

/**
 * Text messages of the server. Binary messages are media for Media Source Extensions (MSE): an initialisation segment
 * after each `video` message, then one fragment per picture.
 */
export const liveSocketMessage = z.discriminatedUnion('kind', [
  /**
   * Sent before each initialisation segment. `firstPts`: the 90 kHz ticks that correspond to media time 0 of the
   * fragments.
   */
  z.object({ kind: z.literal('video'), mimeType: z.string(), firstPts: z.number() }),
  z.object({ kind: z.literal('telemetry'), ...liveSet }),
  /**
   * Response to a `past` request, sent in pieces. `to` is the time up to which telemetry has been sent, and `last`
   * marks the final piece.
   */
  z.object({ kind: z.literal('past'), from: micros, to: micros, rows: z.array(z.object(liveSet)), last: z.boolean() }),
  /** Pictures were left out because this client is too slow. */
  z.object({ kind: z.literal('dropped'), pictures: z.int() }),
  /**
   * Last message before the server ends the session: a sentence for the user, and the error code if an error was the
   * cause.
   */
  z.object({ kind: z.literal('end'), text: z.string(), code: z.string().optional() }),
]);
export type LiveSocketMessage = z.output<typeof liveSocketMessage>;
