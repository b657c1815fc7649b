import { z } from 'zod';
import { clip } from './clip.ts';
import { defineCall, done, flag, id, idOrName, list, micros, moment } from './core/call.ts';
import { column } from './core/column.ts';
import { DESCRIPTION_MAX, NAME_MAX, TELEMETRY_MAX } from './core/limits.ts';

export const missionStates = ['Created', 'Processing', 'Running', 'Ready', 'WaitingForData', 'Stopped'] as const;
export type MissionState = (typeof missionStates)[number];

export const sensorTypes = ['video', 'ais'] as const;
export const DEFAULT_SENSOR = { name: 'EO/IR', description: '', type: 'video' } as const;

/**
 * Source of a sensor's times: its KLV clock, the time stamps in its pictures (MISB ST 0604), the playlist of its upload
 * (EXT-X-PROGRAM-DATE-TIME), its container (MP4, MOV, Matroska), its file name, the file's modification time as sent by
 * the browser, or the time of the upload.
 */
export const timeSources = ['klv', 'picture', 'playlist', 'container', 'name', 'file', 'upload'] as const;

/** 1 to 64 characters of any script; no control characters, backslash, comma, `.` or `..`. Slashes are allowed. */
export const sensorName = z
  .string()
  .min(1, 'Empty sensor name')
  .max(NAME_MAX, 'Sensor name is too long')
  .regex(/^[^\\,\p{C}]*$/u, 'Control characters, backslashes and commas are not allowed')
  .refine((name) => name !== '.' && name !== '..', 'This name is not allowed');

export const newSensor = z.object({
  name: sensorName,
  description: z.string().max(DESCRIPTION_MAX).default(''),
  type: z.enum(sensorTypes).default('video'),
});
export type NewSensor = z.output<typeof newSensor>;

/**
 * Rules that assign times to the positions and static data in an AIS file, tried in this order: the tag block of the
 * sentence (NMEA 0183, c:), a time on the same line, the UTC of base stations (messages 4 and 11) carried forward,
 * times given by a user, and the time of reception by this server. `none`: the data has no time and is left out.
 */
export const aisTimeRules = ['tagBlock', 'line', 'baseStation', 'hand', 'reception', 'none'] as const;
export type AisTimeRule = (typeof aisTimeRules)[number];
export const aisDated = z.record(z.enum(aisTimeRules), z.int().nonnegative());
export type AisDated = z.output<typeof aisDated>;

/** One file of a sensor. */
export const asset = z.object({
  _id: id,
  /**
   * Path from which byte ranges of the original file are served: /api/media/{sensorId}/{fileId}.ts, or .mp4 or .mkv,
   * depending on its kind.
   */
  path: z.string(),
  /** File name on the user's machine; for display only. */
  name: z.string(),
  sizeBytes: z.int(),
  sha256: z.string().nullable(),
  /** `mp4`: MP4 or MOV. `mkv`: Matroska or WebM. */
  kind: z.enum(['ts', 'mp4', 'mkv', 'archive', 'manifest', 'sidecar', 'ais']),
  startTime: micros.nullable(),
  endTime: micros.nullable(),
  state: z.enum(['waiting', 'processing', 'ready', 'failed']),
  /** A sentence: the error if the state is `failed`; otherwise problems found in a file that still plays. */
  message: z.string().nullable(),
  /**
   * Times that a user assigned to AIS sentences without a time: when the first one was received, and how many were
   * received per second.
   */
  aisTimes: z.object({ start: micros, perSecond: z.number() }).optional(),
  /**
   * Number of positions and static data of an AIS file that were dated by each rule; absent until the file has been
   * read.
   */
  aisDated: aisDated.optional(),
  /** Damage found in the file's bytes on the server, in whole sentences; absent if none is known. */
  damage: z.string().optional(),
});
export type Asset = z.output<typeof asset>;

export const hlsProps = z.object({
  url: z.string(),
  durationSeconds: z.number(),
  renditions: z.array(
    z.object({
      name: z.string(),
      codec: z.string(),
      width: z.int(),
      height: z.int(),
      frameRate: z.number().nullable(),
    }),
  ),
});

/** Worst finding of the KLV health check, shown in one line under the sensor's name in the table. */
export const klvStatus = z.object({ state: z.enum(['good', 'warning', 'none']), text: z.string() });

export const sensor = z.object({
  _id: id,
  missionId: id,
  name: z.string(),
  description: z.string(),
  type: z.enum(sensorTypes),
  state: z.enum(missionStates),
  creationTime: micros,
  startTime: micros.nullable(),
  endTime: micros.nullable(),
  recordingStartTime: micros.nullable(),
  recordingEndTime: micros.nullable(),
  views: z.int().nonnegative(),
  thumbnail: z.string().nullable(),
  hlsProps: hlsProps.nullable(),
  assets: z.array(asset),
  timeSource: z.enum(timeSources).nullable(),
  /**
   * Time shift set by an editor, in microseconds: time shown = own time of the sensor + shift. All other times here are
   * times shown.
   */
  timeShift: z.int(),
  klv: klvStatus.nullable(),
  /** Progress of the running job in percent (`progress`), and the reason why the last job failed (`message`). */
  progress: z.number().nullable(),
  message: z.string().nullable(),
  /** Clips of the sensor, if the request asked for them. */
  clips: z.array(clip).optional(),
});
export type Sensor = z.output<typeof sensor>;

/** Path parameters of calls that concern one sensor. */
export const sensorParams = z.object({ mission: idOrName, sensor: idOrName });
/** Error codes of calls that read one sensor. */
export const sensorReadErrors = ['notSignedIn', 'notFound', 'missionNameAmbiguous'] as const;

export const listSensors = defineCall({
  method: 'GET',
  path: '/sensors',
  summary: 'Lists the sensors of one mission, with their files',
  action: 'mission.read',
  input: z.object({ query: z.object({ missionIdOrName: idOrName, clips: flag.optional() }) }),
  answer: z.array(sensor),
  errors: sensorReadErrors,
});

/**
 * Mapping from media time to UTC. `runs` are in playlist order, one for each stretch between EXT-X-DISCONTINUITY tags.
 * Within a run, `anchors` pair PTS with UTC; the mapping is linear between the anchors and beyond them.
 */
export const sensorTimeline = z.object({
  sensor: id,
  startTime: micros,
  endTime: micros,
  timeSource: z.enum(timeSources),
  /**
   * True if the time is an assumption: either a file's KLV clock has two equally good readings, of which the earlier
   * one is used (see `clock.readings` in the KLV health), or the time comes from the file name, which states no zone.
   */
  timeAssumed: z.boolean().optional(),
  runs: z.array(
    z.object({
      /** Number of EXT-X-DISCONTINUITY tags before the run; corresponds to `fragment.cc` of hls.js. */
      discontinuity: z.int(),
      fileId: id,
      /** Start of the run, in seconds from the start of the playlist. */
      playlistStart: z.number(),
      durationSeconds: z.number(),
      /** PTS of the first and the last frame, unwrapped, in 90 kHz ticks. */
      firstPts: z.number(),
      lastPts: z.number(),
      startTime: micros,
      endTime: micros,
      anchors: z.array(z.tuple([z.number(), micros])).min(1),
    }),
  ),
  /** Gaps in the recording. */
  gaps: z.array(z.object({ start: micros, end: micros })),
  /** Number of targets in the picture in each bin of `binSeconds`, for the histogram; empty if there is no VMTI. */
  targets: z.object({ binSeconds: z.number(), counts: z.array(z.int()) }),
  frameRate: z.number().nullable(),
});
export type SensorTimeline = z.output<typeof sensorTimeline>;

export const getSensorTimeline = defineCall({
  method: 'GET',
  path: '/sensors/timeline/:mission/:sensor',
  summary: 'Returns how media time of this sensor maps to UTC, with its runs and gaps',
  action: 'mission.read',
  input: z.object({ params: sensorParams }),
  answer: sensorTimeline,
  errors: sensorReadErrors,
});

/**
 * Value of one ST 0601 item: a number in the standard's unit, text, or unknown bytes as hex. Null if it was not sent or
 * is an error marker.
 */
const value = z.union([z.number(), z.string(), z.null()]);

export const telemetryPage = z.object({
  sensor: id,
  from: micros,
  to: micros,
  /** True if the answer was cut at 20,000 records: request the rest from the last time on. */
  more: z.boolean(),
  time: column('integer'),
  /** Values by tag number; each array is as long as `time`. */
  tags: z.record(z.string(), column('number', 'string', 'null')),
  /** Nested sets, at the records that have them; `i` is the index into `time`. */
  sets: z.array(z.looseObject({ i: z.int() })),
  /** Times of sets whose checksum failed, and which therefore provide no values. Absent if there are none. */
  failed: column('integer').optional(),
});
export type TelemetryPage = z.output<typeof telemetryPage>;

export const getTelemetry = defineCall({
  method: 'GET',
  path: '/sensors/telemetry/:mission/:sensor',
  summary: `Returns telemetry by columns, at most ${TELEMETRY_MAX} records. \`every\` in milliseconds keeps the last record of each step`,
  action: 'mission.read',
  input: z.object({
    params: sensorParams,
    query: z.object({
      from: moment.optional(),
      to: moment.optional(),
      every: z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number)
        .optional(),
    }),
  }),
  answer: telemetryPage,
  errors: ['invalid', ...sensorReadErrors],
});

const byteRange = { start: z.int(), valueStart: z.int(), end: z.int() };

/** One KLV packet of the original file. Offsets of items are relative to the first byte of the packet's key. */
export const telemetrySet = z.object({
  sensor: id,
  time: micros,
  /**
   * Null if there are no bytes to show: either the telemetry was uploaded as a text file, or the bytes were not found.
   */
  set: z
    .object({
      fileId: id,
      fileName: z.string(),
      pid: z.int(),
      /** Offset in the file of the transport packet in which the PES packet of this set begins. */
      offset: z.int(),
      standard: z.string(),
      checksum: z.enum(['good', 'bad', 'missing']),
      /** Checksum stated in the packet, and the one computed from its bytes. */
      stated: z.int().nullable(),
      computed: z.int().nullable(),
      /** Key, length and value of the packet, as hex. */
      hex: z.string(),
      items: z.array(z.object({ tag: z.int(), ...byteRange })),
    })
    .nullable(),
  /** Reason why `set` is null. */
  reason: z.enum(['sidecar', 'notFound']).nullable(),
});
export type TelemetrySet = z.output<typeof telemetrySet>;

export const getTelemetrySet = defineCall({
  method: 'GET',
  path: '/sensors/telemetry-set/:mission/:sensor',
  summary: 'Returns the bytes of the one set that has this time in the telemetry, read from the original',
  action: 'mission.read',
  input: z.object({ params: sensorParams, query: z.object({ time: moment }) }),
  answer: telemetrySet,
  errors: ['invalid', ...sensorReadErrors, 'unavailable'],
});

export const getFrameCenterPoints = defineCall({
  method: 'GET',
  path: '/sensors/framecenterpoints/:mission/:sensor',
  summary: 'Returns where the sensor looked, for a heat map: places with the seconds spent on each',
  action: 'mission.read',
  input: z.object({ params: sensorParams }),
  answer: z.array(z.object({ lat: z.number(), lon: z.number(), seconds: z.number() })),
  errors: sensorReadErrors,
});

const position = z.array(z.number());

export const getSensorPath = defineCall({
  method: 'GET',
  path: '/sensors/path/:mission/:sensor',
  summary: 'Returns the path of the platform as GeoJSON, cut at gaps and at the antimeridian',
  action: 'mission.read',
  input: z.object({ params: sensorParams }),
  answer: z.object({
    type: z.literal('Feature'),
    properties: z.object({ mission: z.string(), sensor: z.string() }),
    geometry: z.object({ type: z.literal('MultiLineString'), coordinates: z.array(z.array(position)) }),
  }),
  errors: sensorReadErrors,
});

export const coordinateOrders = ['latitudeFirst', 'longitudeFirst'] as const;
/** Evidence for whether latitude or longitude comes first in a file that does not name its coordinate columns. */
export const orderBases = ['plausibility', 'home', 'continuity', 'unit', 'assumed'] as const;

/**
 * Reason why a KLV stream is shown. `user`: a user chose it; `tables`: the metadata descriptors indicate it;
 * `positions`: it has the most positions; `first`: it came first.
 */
export const klvChosenBy = ['user', 'tables', 'positions', 'first'] as const;

/**
 * One of several KLV streams: number of its sets, number of sets with a position, and the ST 0601 tags that it
 * contributed to the shown stream.
 */
export const klvStreamCounts = z.object({
  pid: z.int(),
  program: z.int(),
  sets: z.int(),
  positions: z.int(),
  filled: z.array(z.int()).optional(),
});

export const klvHealth = z.object({
  sensor: id,
  /** Findings that a field engineer should look at, as whole sentences, worst first. */
  findings: z.array(
    z.object({
      severity: z.enum(['good', 'warning', 'error']),
      text: z.string(),
      /** For findings about single records: number of affected records, and time of the first one. */
      count: z.int().optional(),
      time: micros.optional(),
    }),
  ),
  streams: z.array(
    z.object({
      fileId: id,
      pid: z.int(),
      program: z.int(),
      kind: z.enum(['sync', 'async']),
      standards: z.record(z.string(), z.int()),
      sets: z.int(),
      ratePerSecond: z.number().nullable(),
      /** Number of packets whose key belongs to no known set, by key in hex digits. */
      unknownKeys: z.record(z.string(), z.int()).optional(),
    }),
  ),
  /**
   * Files with several KLV streams: counts for each stream, and which one is shown. The other streams fill in tags that
   * the shown stream lacks within a second. Two streams that both contain positions are never merged. Absent if no file
   * has several streams.
   */
  choices: z
    .array(
      z.object({
        fileId: id,
        name: z.string(),
        chosen: z.int(),
        by: z.enum(klvChosenBy),
        streams: z.array(klvStreamCounts),
      }),
    )
    .optional(),
  /**
   * Files that contain more videos than the one shown, with the PIDs of these videos; each can be made a sensor. Absent
   * if there are none.
   */
  videos: z.array(z.object({ fileId: id, name: z.string(), pids: z.array(z.int()) })).optional(),
  /**
   * Files whose name continues the name of the previous file and which begin `gapSeconds` after its end. `joined`: a
   * user made the file begin exactly at that end. Absent if there are none.
   */
  continuations: z
    .array(z.object({ fileId: id, name: z.string(), before: z.string(), gapSeconds: z.number(), joined: z.boolean() }))
    .optional(),
  sets: z.int(),
  ratePerSecond: z.number().nullable(),
  checksum: z.object({ good: z.int(), bad: z.int(), missing: z.int() }),
  /** Mandatory and recommended items of ST 0601 that are absent from some or all sets. */
  missing: z.array(z.object({ tag: z.int(), name: z.string(), absentFrom: z.int() })),
  clock: z.object({
    trustworthy: z.boolean(),
    reason: z.string().nullable(),
    millisecondsByMistake: z.int(),
    duplicates: z.int(),
    backwards: z.int(),
    gaps: z.array(z.object({ time: micros, seconds: z.number() })),
    jumps: z.array(z.object({ time: micros.nullable(), seconds: z.number() })),
    /**
     * Places where the time stamps are wrong by `bySeconds`, so that the sets are dated by the video instead: steps,
     * frozen times and swapped times. `bySeconds` is null if no set of this part agrees with the rest. Absent from
     * reports of older versions.
     */
    wrong: z
      .array(z.object({ time: micros, seconds: z.number(), sets: z.int(), bySeconds: z.number().nullable() }))
      .optional(),
    /**
     * Files whose clock can be read in two equally good ways. The other reading is `otherSeconds` later than the
     * default; `isOther`: the other reading is used.
     */
    readings: z
      .array(z.object({ fileId: id, name: z.string(), otherSeconds: z.number(), isOther: z.boolean() }))
      .optional(),
  }),
  /**
   * Delay in the stream between the picture with the set's time (PTS) and the set, in milliseconds; negative if the set
   * comes before the picture. Null if unknown.
   */
  latencyMs: z.object({ median: z.number(), p95: z.number(), max: z.number() }).nullable(),
  /**
   * Course over the recording, in at most 600 equal steps, each beginning at its `time`: usable sets per second, and
   * the drift of the KLV clock against the video clock since their first set, in milliseconds. Null without telemetry.
   */
  course: z
    .object({
      time: z.array(micros),
      ratePerSecond: z.array(z.number()),
      clockOffsetMs: z.array(z.number().nullable()),
    })
    .nullable(),
  tags: z.array(
    z.object({
      tag: z.int(),
      name: z.string(),
      unit: z.string(),
      sets: z.int(),
      first: value,
      last: value,
      min: z.number().nullable(),
      max: z.number().nullable(),
    }),
  ),
  /** Items that could not be used, because their length is wrong or they extend past the end of their set. */
  faults: z.array(z.object({ tag: z.int().nullable(), fault: z.string(), count: z.int() })),
  /** Faults of the transport stream itself. */
  transport: z.record(z.string(), z.int()),
  /** Telemetry files uploaded with the recording that are shown. */
  sidecars: z.array(
    z.object({
      fileId: id,
      name: z.string(),
      records: z.int(),
      /** Times of the first and the last record, including the offset. */
      startTime: micros,
      endTime: micros,
      /** Number of records whose time falls within the video; null if the sensor has no pictures. */
      withinVideo: z.int().nullable(),
      /** Offset that a user added to the file's times, in microseconds. */
      offset: z.int(),
      /**
       * True if the file's times count from an unknown start or are in an unknown zone; they are then assumed to begin
       * with the video.
       */
      startAssumed: z.boolean(),
      /**
       * For a file that does not name its coordinate columns: which coordinate is assumed to come first, the evidence
       * for it (`assumed`: none), and whether a user swapped them. Null if the file names them.
       */
      order: z
        .object({ first: z.enum(coordinateOrders), basis: z.enum(orderBases), exchanged: z.boolean() })
        .nullable(),
    }),
  ),
});
export type KlvHealth = z.output<typeof klvHealth>;

export const getKlvHealth = defineCall({
  method: 'GET',
  path: '/sensors/klv-health/:mission/:sensor',
  summary: 'Returns the health report of the telemetry of this sensor',
  action: 'mission.read',
  input: z.object({ params: sensorParams }),
  answer: klvHealth,
  errors: sensorReadErrors,
});

export const getSensorPictures = defineCall({
  method: 'GET',
  path: '/sensors/pictures/:mission/:sensor',
  summary: 'Returns small pictures along the recording, for the timeline. More appear while they are made',
  action: 'mission.read',
  input: z.object({ params: sensorParams }),
  answer: z.array(z.object({ time: micros, url: z.string() })),
  errors: sensorReadErrors,
});

/** Width of a picture of a sheet, in pixels. */
export const SHEET_CELL = 96;
/** Number of pictures in a row of a sheet. */
export const SHEET_COLUMNS = 10;
/** Maximum number of pictures of a sheet, and the longest time that it covers, in microseconds. */
export const SHEET_PICTURES = 60;
export const SHEET_US = 600_000_000;

/**
 * Small pictures along a recording, joined into one JPEG: row by row, `SHEET_COLUMNS` in a row, each `SHEET_CELL` pixels
 * wide and `height` pixels high.
 */
export const pictureSheet = z.object({
  url: z.string(),
  height: z.int().positive(),
  /** Time of each picture, in their order. Pictures that could not be decoded are left out. */
  times: z.array(micros).min(1).max(SHEET_PICTURES),
});
export type PictureSheet = z.output<typeof pictureSheet>;

export const getSensorSheets = defineCall({
  method: 'GET',
  path: '/sensors/sheets/:mission/:sensor',
  summary: 'Returns which sheets of small pictures exist along the recording, with the time of each picture',
  action: 'mission.read',
  input: z.object({ params: sensorParams }),
  answer: z.array(pictureSheet),
  errors: sensorReadErrors,
});

export const shiftSensor = defineCall({
  method: 'POST',
  path: '/sensors/:id/shift',
  summary: 'Shifts all times of a sensor by microseconds, counted from its time source',
  action: 'mission.update',
  input: z.object({ params: z.object({ id }), body: z.strictObject({ shift: z.int().min(-4e15).max(4e15) }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound'],
});

export const playSensor = defineCall({
  method: 'POST',
  path: '/sensors/:id/view',
  summary: 'Counts a view, once per user, sensor and 30 minutes',
  action: 'mission.read',
  input: z.object({ params: z.object({ id }) }),
  answer: done,
  errors: ['notSignedIn', 'notFound'],
});

export const deleteAsset = defineCall({
  method: 'DELETE',
  path: '/sensors/:id/files/:fileId',
  summary: 'Removes one file of a sensor, unless the mission is on hold',
  action: 'mission.update',
  input: z.object({ params: z.object({ id, fileId: id }) }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'missionHeld'],
});

export const setSidecar = defineCall({
  method: 'POST',
  path: '/sensors/:id/files/:fileId/sidecar',
  summary:
    'Lines up a telemetry file with the video by adding microseconds to its times, or exchanges its latitude and ' +
    'longitude. Both count from what the file states; omitted values stay',
  action: 'mission.update',
  input: z.object({
    params: z.object({ id, fileId: id }),
    body: z.strictObject({ offset: z.int().min(-4e15).max(4e15).optional(), exchanged: z.boolean().optional() }),
  }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

export const readFileAs = defineCall({
  method: 'PUT',
  path: '/sensors/:id/files/:fileId/reading',
  summary:
    'Chooses how a file is read: the KLV stream that is shown, the reading of its clock, and whether it begins ' +
    'where the file before ends. For AIS sentences without times, when the first came and how many came a second. ' +
    'Null leaves it to the rules',
  action: 'mission.update',
  input: z.object({
    params: z.object({ id, fileId: id }),
    body: z.strictObject({
      klvPid: z.int().min(0).max(8190).nullable(),
      clock: z.enum(['other']).nullable(),
      joined: z.boolean().optional(),
      ais: z
        .strictObject({ start: z.int().min(0).max(4e15), perSecond: z.number().min(0.001).max(100_000) })
        .nullable()
        .optional(),
    }),
  }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

export const addVideoSensor = defineCall({
  method: 'POST',
  path: '/sensors/:id/files/:fileId/videos',
  summary: 'Adds a further video of a file as a sensor',
  action: 'mission.update',
  input: z.object({ params: z.object({ id, fileId: id }), body: z.strictObject({ pid: z.int().min(0).max(8190) }) }),
  answer: z.object({ message: z.string(), _id: id }),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

/** Query of calls that return media bytes or playlists. The token is for clients that do not send the cookie. */
const mediaQuery = z.object({ token: z.string().max(2048).optional() });
const media = { method: 'GET', action: 'mission.read', answer: z.unknown(), raw: 'media' } as const;

export const getPlaylist = defineCall({
  ...media,
  path: '/media/:sensorId/index.m3u8',
  summary: 'Returns the HLS playlist of a sensor, with byte ranges of the originals or cut segments',
  input: z.object({ params: z.object({ sensorId: id }), query: mediaQuery }),
  errors: ['notSignedIn', 'notFound'],
});

export const getMediaFile = defineCall({
  ...media,
  path: '/media/:sensorId/:file',
  summary: 'Returns the original file ({fileId}.ts, .mp4 or .mkv), whole or one byte range',
  input: z.object({
    params: z.object({ sensorId: id, file: z.string().regex(/^[0-9a-f-]{36}\.(?:ts|mp4|mkv)$/) }),
    query: mediaQuery,
  }),
  errors: ['notSignedIn', 'notFound', 'rangeNotSatisfiable'],
});

export const getMediaSegment = defineCall({
  ...media,
  path: '/media/:sensorId/:fileId/:segment',
  summary: 'Returns one segment ({n}.ts), cut and cleaned while it is sent',
  input: z.object({
    params: z.object({ sensorId: id, fileId: id, segment: z.string().regex(/^\d{1,7}\.ts$/) }),
    query: mediaQuery,
  }),
  errors: ['notSignedIn', 'notFound', 'renditionMissing'],
});

export const getSensorSheet = defineCall({
  ...media,
  path: '/media/:sensorId/sheets/:sheet',
  summary: 'Returns one sheet of small pictures ({sheet}.jpg), whose times are in the list of sheets',
  input: z.object({
    params: z.object({ sensorId: id, sheet: z.string().regex(/^[0-9a-f-]{36}\.jpg$/) }),
    query: mediaQuery,
  }),
  errors: ['notSignedIn', 'notFound'],
});

export const uploadFiles = defineCall({
  method: 'POST',
  path: '/missions/upload/:mission/:sensor',
  summary:
    'Uploads the files of a multipart form. Answers when their bytes are durable and their first 4 MiB are checked',
  action: 'mission.upload',
  raw: 'form',
  input: z.object({
    params: sensorParams,
    query: z.object({ processAfterUpload: z.string().max(32).optional(), lastModified: list().optional() }),
  }),
  answer: z.object({ files: z.array(asset) }),
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'notFound',
    'missionNameAmbiguous',
    'missionRenamed',
    'unsupportedFile',
    'emptyFile',
    'badArchive',
    'quotaReached',
    'diskFull',
  ],
});
