import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, flag, id, list, micros, moment, reasonText } from './core/call.ts';
import { PAGE_MAX, SEARCH_MAX } from './core/limits.ts';

/** Defaults of the filter in the AIS tab, in minutes: age of the last positions, and length of the trail. */
export const AIS_RETENTION_MINUTES = 6;
export const AIS_TRAIL_MINUTES = 10;
/** Maximum number on the badge, which shows `+` beyond it. */
export const AIS_BADGE_MAX = 100_000;
/** Maximum number of points in one trail; longer trails are thinned out. */
export const AIS_TRAIL_POINTS_MAX = 2000;
/** Maximum number of rows in one export. */
export const AIS_EXPORT_MAX = 100_000;
/** Number of hours before a past time in which the last position of each station is searched for. */
export const AIS_LAST_HOURS = 24;
/** Value for heading "not available" (ITU-R M.1371-5, message 1). */
export const NO_HEADING = 511;

export const aisModes = ['last', 'all'] as const;
export type AisMode = (typeof aisModes)[number];
/** `vessels` includes everything that sails, flies or floats; `baseStations` are the stations on land. */
export const aisTypes = ['vessels', 'baseStations'] as const;
export type AisType = (typeof aisTypes)[number];

const mmsi = z.int().min(0).max(999_999_999);
/** Formats an MMSI as nine digits with leading zeros, with which those of base stations begin. */
export const mmsiText = (number: number): string => String(number).padStart(9, '0');
/** Number of a station, and the same as text. */
export const station = { mmsi, mmsiText: z.string().length(9) };
export const stationOf = (number: number) => ({ mmsi: number, mmsiText: mmsiText(number) });
const mmsiNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'An MMSI has up to nine digits')
  .transform(Number);

export const aisSorts = [
  'sensorName',
  'mmsi',
  'name',
  'vesselType',
  'country',
  'timestamp',
  'lat',
  'lon',
  'cog',
  'hdg',
  'sog',
  'fixType',
] as const;
export type AisSort = (typeof aisSorts)[number];
const sortKeys = aisSorts.flatMap((key) => [key, `-${key}`] as const);

const filter = {
  mode: z.enum(aisModes).default('last'),
  aisType: z.enum(aisTypes).default('vessels'),
  /** Includes static data: name, type, call sign, dimensions, destination. */
  info: flag.default(true),
  /** Start of the span; if omitted, the beginning of the stored data. */
  start: moment.optional(),
  end: moment.optional(),
  /** Limits the ships to those recorded with this mission. */
  mission: id.optional(),
  /** Limits the ships to those on this ship list. */
  list: id.optional(),
  /** Search text: part of a name, a former name or a call sign, the beginning of an MMSI, or an IMO number. */
  search: z.string().max(SEARCH_MAX).optional(),
};

export const aisFilter = z.object(filter);
export type AisFilter = z.output<typeof aisFilter>;

/** Distances from the antenna to the ends of the ship, in metres. */
export const shipDimensions = z.object({
  toBow: z.number(),
  toStern: z.number(),
  toPort: z.number(),
  toStarboard: z.number(),
});

/** Static and voyage data of a station, as received by sources that the caller may read. */
const vessel = {
  name: z.string().nullable(),
  callSign: z.string().nullable(),
  imo: z.int().nullable(),
  /** Ship type code of ITU-R M.1371-5, and its name. */
  shipType: z.int().nullable(),
  vesselType: z.string().nullable(),
  dimensions: shipDimensions.nullable(),
  /** Draught in metres. */
  draught: z.number().nullable(),
  destination: z.string().nullable(),
  /** ETA as sent by the ship: `MM-DD HH:MM`, UTC, without a year. */
  eta: z.string().nullable(),
};

/**
 * Reasons to doubt a position: `jump`: too far from the previous one to be from the same ship; `future`: stated for the
 * future; `nowhere`: at 0 0; `clock`: stated by a clock that is at least a week behind.
 */
export const aisDoubts = ['jump', 'future', 'nowhere', 'clock'] as const;

export const aisTarget = z.object({
  /** Sensor of the platform that received this position. */
  sensorName: z.string(),
  platformName: z.string().nullable(),
  /** Label of the receiver that received this position, or of the mission with which it was recorded. */
  securityClassification: classificationWord,
  /** Number of the caller's sources that receive this station; 1 with mode `all`. */
  sources: z.int(),
  ...station,
  ...vessel,
  /** Country according to the maritime identification digits: ISO 3166 alpha-2 code, and the name. */
  countryCode: z.string().nullable(),
  country: z.string().nullable(),
  /** Time of the position. */
  timestamp: micros,
  lat: z.number(),
  lon: z.number(),
  /** Course in degrees, heading in degrees, speed in knots; null is "not available". */
  cog: z.number().nullable(),
  hdg: z.number().nullable(),
  sog: z.number().nullable(),
  /** Rate of turn in degrees per minute, positive to starboard. */
  turn: z.number().nullable(),
  /** Navigational status 0 to 14. */
  status: z.int().nullable(),
  /** Type of the message that contained the position, 1 to 27. */
  messageType: z.int(),
  fixType: z.int().nullable(),
  /** The position is doubtful, for the reasons in `suspectFor`. */
  suspect: z.boolean(),
  suspectFor: z.array(z.enum(aisDoubts)),
});
export type AisTarget = z.output<typeof aisTarget>;

const readErrors = ['invalid', 'notSignedIn', 'notFound'] as const;
const rowErrors = [...readErrors, 'aisSpanTooLong'] as const;

export const listAisTargets = defineCall({
  method: 'GET',
  path: '/aistargets',
  summary:
    'Lists the stations that AIS receivers heard: the last state of each, with an end the last until then, or every ' +
    'position',
  action: 'ais.read',
  input: z.object({
    query: z.strictObject({
      ...filter,
      sort: z.enum(sortKeys).default('-timestamp'),
      limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(100),
      /** Cursor of the next page: the header X-Next-After of the previous page. */
      after: z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number)
        .optional(),
      /** Asks for the total number in X-Total-Count, up to 100,001. */
      count: flag.optional(),
    }),
  }),
  answer: z.array(aisTarget),
  errors: rowErrors,
});

export const aisTrail = z.object({
  ...station,
  /**
   * Points of the trail. Null marks an interruption, where no line may be drawn: a point is suspect, or nothing was
   * received for long.
   */
  points: z.array(z.object({ lat: z.number(), lon: z.number(), timestamp: micros }).nullable()),
});
export type AisTrail = z.output<typeof aisTrail>;

export const getAisTrail = defineCall({
  method: 'GET',
  path: '/aistargets/trail/:mmsi',
  summary: `Returns the positions of a station, oldest first, thinned to ${AIS_TRAIL_POINTS_MAX} points`,
  action: 'ais.read',
  input: z.object({
    params: z.object({ mmsi: mmsiNumber }),
    query: z.strictObject({ start: moment.optional(), end: moment.optional(), mission: id.optional() }),
  }),
  answer: aisTrail,
  errors: readErrors,
});

const coordinate = (most: number) => z.coerce.number().min(-most).max(most);

export const getAisFrame = defineCall({
  method: 'GET',
  path: '/aistargets/frame',
  summary:
    'Returns the ships of a part of the map, now or at a moment, as bytes in the format of ais-frame.ts of the ' +
    'contract',
  action: 'ais.read',
  input: z.object({
    query: z.strictObject({
      west: coordinate(180),
      south: coordinate(90),
      east: coordinate(180),
      north: coordinate(90),
      minutes: z.coerce.number().int().min(1).max(1440).default(AIS_RETENTION_MINUTES),
      /** Time of the request; if omitted, now. */
      time: moment.optional(),
      mission: id.optional(),
      /** Limits the ships to those on this ship list. */
      list: id.optional(),
    }),
  }),
  answer: z.unknown(),
  raw: 'media',
  errors: rowErrors,
});

/** Maximum number of stations in one call for their details. */
export const AIS_VESSELS_MAX = 500;

export const aisVessel = z.object({ ...station, ...vessel, formerNames: z.array(z.string()) });
export type AisVessel = z.output<typeof aisVessel>;

export const listAisVessels = defineCall({
  method: 'GET',
  path: '/aistargets/vessels',
  summary: 'Returns particulars, voyage and former names of stations, from sources that the caller may hear',
  action: 'ais.read',
  input: z.object({
    query: z.strictObject({ mmsi: list(AIS_VESSELS_MAX).pipe(z.array(mmsiNumber)), mission: id.optional() }),
  }),
  answer: z.array(aisVessel),
  errors: readErrors,
});

/** Number, and first and last time, of the rows that a deletion would remove. */
const aisSpan = z.object({
  stations: z.int(),
  positions: z.int(),
  first: micros.nullable(),
  last: micros.nullable(),
});
export type AisSpan = z.output<typeof aisSpan>;

const deleting = {
  start: moment.optional(),
  end: moment.optional(),
  aisType: z.enum(aisTypes).optional(),
  /** Limits it to this mission; if omitted, to rows that belong to no mission. */
  mission: id.optional(),
};

export const getAisSpan = defineCall({
  method: 'GET',
  path: '/aistargets/span',
  summary: 'Counts the positions that a deletion with these conditions would delete, with their first and last time',
  action: 'ais.delete',
  input: z.object({ query: z.strictObject(deleting) }),
  answer: aisSpan,
  errors: [...readErrors, 'forbidden'],
});

export const deleteAisTargets = defineCall({
  method: 'DELETE',
  path: '/aistargets',
  summary: 'Deletes positions that the caller may read, except those of a mission on hold',
  action: 'ais.delete',
  input: z.object({ query: z.strictObject({ ...deleting, reason: reasonText.optional() }) }),
  answer: done,
  errors: [...readErrors, 'forbidden', 'missionHeld'],
});

export const deleteVesselInfo = defineCall({
  method: 'DELETE',
  path: '/vesselinfo',
  summary:
    'Deletes names and other static data of stations that the caller may read, except those of a mission on hold',
  action: 'ais.delete',
  input: z.object({ query: z.strictObject({ mission: id.optional(), reason: reasonText.optional() }) }),
  answer: done,
  errors: [...readErrors, 'forbidden', 'missionHeld'],
});

export const aisExportFormats = ['csv', 'geojson', 'kml', 'nmea'] as const;
export type AisExportFormat = (typeof aisExportFormats)[number];

export const exportAisTargets = defineCall({
  method: 'GET',
  path: '/aistargets/export',
  summary: 'Exports the same rows as a file, named ais_YYYYMMDD-HHmmss with the highest label of its sources',
  action: 'ais.export',
  input: z.object({
    query: z.strictObject({
      ...filter,
      sort: z.enum(sortKeys).default('-timestamp'),
      format: z.enum(aisExportFormats).default('csv'),
    }),
  }),
  answer: z.unknown(),
  raw: 'media',
  errors: [...rowErrors, 'forbidden'],
});

/** Lists AIS receivers that the caller may see, and missions with AIS, which the tab offers. */
export const listAisSources = defineCall({
  method: 'GET',
  path: '/aissources',
  summary: 'Lists receivers of AIS and missions with AIS that the caller may see',
  action: 'ais.read',
  input: z.object({}),
  answer: z.object({
    receivers: z.array(z.object({ sensor: id, sensorName: z.string(), platform: id, platformName: z.string() })),
    missions: z.array(z.object({ _id: id, name: z.string() })),
    /** Highest label of everything that the caller receives. */
    securityClassification: classificationWord,
    /** Number of days for which positions that belong to no mission are kept. */
    keepDays: z.int(),
  }),
  errors: ['notSignedIn'],
});
export type AisSources = z.output<typeof listAisSources.answer>;
