import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, id, micros } from './core/call.ts';
import { NAME_MAX, QUERY_VERTICES_MAX } from './core/limits.ts';
import { lookback, lookbackSpan } from './coverage.ts';

/** Maximum number of spans in one answer. */
export const FIND_SPANS_MAX = 200;
/** Maximum number of spans that are counted. */
export const FIND_COUNT_MAX = 1000;
/** Maximum radius of a circle and maximum width of a corridor, in metres. */
export const FIND_RADIUS_MAX_M = 1_000_000;
export const FIND_WIDTH_MAX_M = 200_000;
/** Maximum number of positions in the centre line of a corridor. */
export const FIND_LINE_MAX = 100;
export const FIND_DAYS_MAX = 36_500;

const place = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);

/** The place to find. Edges are straight in longitude and latitude (RFC 7946); an annotation counts with all of its shapes. */
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
/** Minute of the day (UTC), from 0 to 1439. */
const minuteOfDay = z.int().min(0).max(1439);
/** Bearing in degrees, clockwise from true north. */
const bearing = z.number().min(0).max(360);

/** Filter conditions that each recorded second must meet to be counted. Omitted conditions are not checked. */
export const findFilter = z.strictObject({
  from: micros.optional(),
  to: micros.optional(),
  /** Number of days before the request to search. */
  days: z.int().min(1).max(FIND_DAYS_MAX).optional(),
  /**
   * Time of day from `from` (inclusive) to `to` (exclusive), in minutes; the range crosses midnight if `from` is later
   * than `to`.
   */
  day: z.strictObject({ from: minuteOfDay, to: minuteOfDay }).optional(),
  /** `video`: only recordings with pictures; `telemetry`: only recordings without pictures. */
  pictures: z.enum(['video', 'telemetry']).optional(),
  /** Part of the sensor's name. */
  sensor: name.optional(),
  /** Names and types of platforms. */
  platforms: names.optional(),
  platformTypes: names.optional(),
  /** Restricts the search to missions that at least one of these usergroups may see. */
  usergroups: z.array(id).max(200).optional(),
  /** Maximum ground sample distance, in metres per pixel. */
  resolutionM: z.number().gt(0).max(1_000_000).optional(),
  /** Range of bearings from the platform to the centre of the view, clockwise, in degrees. */
  look: z.strictObject({ from: bearing, to: bearing }).optional(),
  /** Minimum share of the area that one picture must cover, in percent. */
  share: z.number().gt(0).max(100).optional(),
  /** Minimum length of a span, in seconds. */
  seconds: z.int().min(1).max(86_400).optional(),
});
export type FindFilter = z.output<typeof findFilter>;

export const foundSpan = lookbackSpan.extend({
  platform: z.string(),
  /** Label of the mission. */
  securityClassification: classificationWord,
  /** False if nobody ever chose the label of the mission. */
  marked: z.boolean(),
  /**
   * Ground corners of the picture at `first`, as longitude and latitude: upper left, upper right, lower right, lower
   * left.
   */
  corners: z.array(z.tuple([z.number(), z.number()])),
  /** Bearing from the platform to the centre of the view, in degrees clockwise from true north; null if unknown. */
  lookDeg: z.number().nullable(),
});
export type FoundSpan = z.output<typeof foundSpan>;

export const foundSpans = z.object({
  /** Spans found, newest first. */
  spans: z.array(foundSpan),
  /** Cursor of the next page, with older spans; null if there are no more. */
  next: z.string().nullable(),
  /** Earliest time that was searched; null if all recordings were searched. */
  searchedTo: micros.nullable(),
  /**
   * Recordings that match the filter but for which the answer may be wrong or incomplete. Sent with the first page
   * only.
   */
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
      /** Value of `next` in the previous page, for the same shape and filter. */
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
    /** Whether more spans than the counted ones exist or may exist. */
    isMore: z.boolean(),
  }),
  errors: ['invalid', 'notSignedIn', 'notFound'],
});
