import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { shipDimensions, station } from './ais.ts';
import { defineCall, id, micros, moment } from './core/call.ts';
import { lookbackSpan } from './coverage.ts';

/** Maximum number of minutes covered by one answer with reports. */
export const AIS_REPORTS_MINUTES = 15;
/** Maximum number of ships with reports in one answer; those with the lowest MMSI come first. */
export const AIS_REPORTS_SHIPS_MAX = 1000;
export const AIS_REPORTS_MAX = 30_000;
/** Maximum number of spans in one answer. */
export const IN_FRAME_SPANS_MAX = 2000;
export const FILMED_SPANS_MAX = 200;

/** Bits of a report. `accurate`: accurate to 10 m; `standing`: at anchor, moored or aground. */
export const AIS_REPORT_BITS = { accurate: 1, standing: 2 } as const;

const coordinate = (most: number) => z.coerce.number().min(-most).max(most);

/**
 * Time in UTC microseconds, latitude, longitude, speed in knots, course and heading in degrees, turn in degrees a minute (starboard positive),
 * bits. Null is "not available".
 */
export const aisReport = z.tuple([
  micros,
  z.number(),
  z.number(),
  z.number().nullable(),
  z.number().nullable(),
  z.number().nullable(),
  z.number().nullable(),
  z.int(),
]);
export type AisReport = z.output<typeof aisReport>;

export const reportedShip = z.object({
  ...station,
  name: z.string().nullable(),
  shipType: z.int().nullable(),
  dimensions: shipDimensions.nullable(),
  /** Reports sorted by time. */
  reports: z.array(aisReport),
});
export type ReportedShip = z.output<typeof reportedShip>;

export const getAisReports = defineCall({
  method: 'GET',
  path: '/aistargets/reports',
  summary:
    'Lists ships that reported from an area, with their position reports of some minutes, the last one before and ' +
    'the first one after them. Reports that do not fit the one before are left out',
  action: 'ais.read',
  input: z.object({
    query: z.strictObject({
      west: coordinate(180),
      south: coordinate(90),
      east: coordinate(180),
      north: coordinate(90),
      start: moment,
      end: moment,
      mission: id.optional(),
    }),
  }),
  answer: z.object({
    ships: z.array(reportedShip),
    /** Whether there are more ships than returned. */
    cut: z.boolean(),
    /**
     * Whether a receiver that the caller may read received anything at that time; if not, there may be ships that are
     * unknown.
     */
    heard: z.boolean(),
    /** Highest label of the receivers that received these ships. */
    securityClassification: classificationWord,
  }),
  errors: ['invalid', 'notSignedIn', 'notFound'],
});
export type AisReports = z.output<typeof getAisReports.answer>;

/** A span of time in which one of a mission's sensors had a ship in its picture. */
export const inFrameSpan = z.object({
  ...station,
  name: z.string().nullable(),
  sensorId: id,
  from: micros,
  to: micros,
  /** Whether at some moment of the span the ship's whole uncertainty ellipse is in the picture. */
  sure: z.boolean(),
});
export type InFrameSpan = z.output<typeof inFrameSpan>;

export const getShipsInFrame = defineCall({
  method: 'GET',
  path: '/aistargets/inframe',
  summary:
    'Lists the ships that the sensors of a mission had in their pictures, with the times, by receivers that the ' +
    'caller may hear',
  action: 'ais.read',
  input: z.object({ query: z.strictObject({ mission: id }) }),
  answer: z.object({
    /** Spans sorted by start. */
    spans: z.array(inFrameSpan),
    /** Whether there were more spans, or more ships to examine, than the limits allow. */
    more: z.boolean(),
    /** Whether a receiver received ships during the mission. */
    heard: z.boolean(),
    /** Highest label of the receivers that received ships near the ground seen by the mission. */
    securityClassification: classificationWord,
  }),
  errors: ['invalid', 'notSignedIn', 'notFound'],
});
export type ShipsInFrame = z.output<typeof getShipsInFrame.answer>;

export const filmedSpan = lookbackSpan.extend({ sure: z.boolean() });
export type FilmedSpan = z.output<typeof filmedSpan>;

export const getFilmed = defineCall({
  method: 'GET',
  path: '/aistargets/filmed/:mmsi',
  summary:
    'Lists the times when a ship was in the picture of any sensor. Counts missions that the caller may read and ' +
    'receivers that the caller may hear',
  action: 'ais.read',
  input: z.object({
    params: z.object({
      mmsi: z
        .string()
        .regex(/^\d{1,9}$/, 'An MMSI has up to nine digits')
        .transform(Number),
    }),
    query: z.strictObject({
      limit: z
        .string()
        .regex(/^\d{1,3}$/)
        .transform(Number)
        .pipe(z.int().min(1).max(FILMED_SPANS_MAX))
        .optional(),
    }),
  }),
  answer: z.object({
    /** Spans, newest first. */
    spans: z.array(filmedSpan),
    more: z.boolean(),
    /** The highest label of these missions. */
    securityClassification: classificationWord,
  }),
  errors: ['invalid', 'notSignedIn'],
});
export type Filmed = z.output<typeof getFilmed.answer>;
