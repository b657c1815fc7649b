import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, id, micros } from './core/call.ts';
import { NAME_MAX, QUERY_VERTICES_MAX } from './core/limits.ts';
import { lookback, lookbackSpan } from './coverage.ts';

/** Most spans of one answer. */
export const FIND_SPANS_MAX = 200;
/** Most spans that are counted. */
export const FIND_COUNT_MAX = 1000;
/** Limits of a circle and of a corridor, metres. */
export const FIND_RADIUS_MAX_M = 1_000_000;
export const FIND_WIDTH_MAX_M = 200_000;
/** Positions of the line of a corridor. */
export const FIND_LINE_MAX = 100;
export const FIND_DAYS_MAX = 36_500;

const place = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);

/** The place to find. Edges are great circles; an annotation counts with all of its shapes. */
export const targetShape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('Point'), coordinates: place }),
  z.strictObject({
    type: z.literal('Polygon'),
    coordinates: z.tuple([
      z
        .array(place)
        .min(4)
        .max(QUERY_VERTICES_MAX)
        .refine((ring) => ring[0]?.join() === ring.at(-1)?.join(), 'The ring is not closed'),
    ]),
  }),
  z.strictObject({ type: z.literal('Circle'), centre: place, radiusM: z.number().gt(0).max(FIND_RADIUS_MAX_M) }),
  z.strictObject({
    type: z.literal('Corridor'),
    line: z.array(place).min(2).max(FIND_LINE_MAX),
    widthM: z.number().gt(0).max(FIND_WIDTH_MAX_M),
  }),
  z.strictObject({ type: z.literal('Annotation'), id }),
]);
export type TargetShape = z.output<typeof targetShape>;

const name = z
  .string()
  .min(1)
  .max(NAME_MAX)
  .refine((text) => !text.includes('\0'), 'Control characters are not allowed');
const names = z.array(name).max(50);
/** Minutes of the day, UTC. */
const minuteOfDay = z.int().min(0).max(1439);
/** Clockwise from true north. */
const bearing = z.number().min(0).max(360);

/** Conditions on the seconds that count; omitted ones are not checked. A second must meet all of them. */
export const findFilter = z.strictObject({
  from: micros.optional(),
  to: micros.optional(),
  /** Number of days before the request that are searched. */
  days: z.int().min(1).max(FIND_DAYS_MAX).optional(),
  /** Time of day from one minute to before the other; over midnight where `from` is later than `to`. */
  day: z.strictObject({ from: minuteOfDay, to: minuteOfDay }).optional(),
  /** `video`: with pictures; `telemetry`: without. */
  pictures: z.enum(['video', 'telemetry']).optional(),
  /** A part of the sensor's name. */
  sensor: name.optional(),
  /** Names of platforms, and their types. */
  platforms: names.optional(),
  platformTypes: names.optional(),
  /** Missions that at least one of these usergroups may see. */
  usergroups: z.array(id).max(200).optional(),
  /** Largest ground sample distance, in metres for one pixel. */
  resolutionM: z.number().gt(0).max(1_000_000).optional(),
  /** Range of bearings from the platform to the middle of the view, clockwise, degrees. */
  look: z.strictObject({ from: bearing, to: bearing }).optional(),
  /** Least share of the area in one picture, percent. */
  share: z.number().gt(0).max(100).optional(),
  /** Least length of a span, seconds. */
  seconds: z.int().min(1).max(86_400).optional(),
});
export type FindFilter = z.output<typeof findFilter>;

export const foundSpan = lookbackSpan.extend({
  platform: z.string(),
  /** Label of the mission. */
  securityClassification: classificationWord,
  /** False: the label of the mission was never chosen. */
  marked: z.boolean(),
  /** The ground in the picture at `first`: upper left, upper right, lower right, lower left; longitude, latitude. */
  corners: z.array(z.tuple([z.number(), z.number()])),
  /** From the platform to the middle of the view, degrees clockwise from true north; null where it is not known. */
  lookDeg: z.number().nullable(),
});
export type FoundSpan = z.output<typeof foundSpan>;

export const foundSpans = z.object({
  /** The newest first. */
  spans: z.array(foundSpan),
  /** Cursor of the next, older spans; null where there are none. */
  next: z.string().nullable(),
  /** Time back to which was searched; null: everything was. */
  searchedTo: micros.nullable(),
  /** Recordings that fit the filter and for which the answer may be wrong or incomplete; with the first page alone. */
  unsure: lookback.pick({ notIndexed: true, withoutPosition: true, uncertainClock: true }).nullable(),
});
export type FoundSpans = z.output<typeof foundSpans>;

export const findByPlace = defineCall({
  method: 'POST',
  path: '/coverage/find',
  summary:
    'Lists the times when a shape was seen, in all recordings that the caller may read, newest first, in whole ' +
    'seconds of a sensor. A page that reached the time limit of one call may hold fewer spans than asked for, or ' +
    'none, and name a next page',
  action: 'mission.list',
  input: z.object({
    body: z.strictObject({
      shape: targetShape,
      filter: findFilter.optional(),
      limit: z.int().min(1).max(FIND_SPANS_MAX).optional(),
      /** `next` of the page before, with the same shape and filter. */
      after: z.string().max(256).optional(),
    }),
  }),
  answer: foundSpans,
  errors: ['invalid', 'notSignedIn', 'notFound'],
});

export const countByPlace = defineCall({
  method: 'POST',
  path: '/coverage/find/count',
  summary: `Counts the spans that coverage/find has for a shape and a filter, for at most 1 s and up to ${FIND_COUNT_MAX}`,
  action: 'mission.list',
  input: z.object({ body: z.strictObject({ shape: targetShape, filter: findFilter.optional() }) }),
  answer: z.object({
    count: z.int(),
    /** Whether there are, or may be, more than the counted spans. */
    isMore: z.boolean(),
  }),
  errors: ['invalid', 'notSignedIn', 'notFound'],
});
