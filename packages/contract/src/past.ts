import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, id, micros, moment } from './core/call.ts';

/** Most days that one answer covers. */
export const PAST_DAYS_MAX = 8;
/** Most recordings of one answer; the newest come first. */
export const PAST_RECORDINGS_MAX = 200;
/** Most receivers of one answer, and most spans of each. */
export const PAST_RECEIVERS_MAX = 100;

const between = { start: moment, end: moment };

export const heardReceiver = z.object({
  /** The sensor that received. */
  sensor: id,
  sensorName: z.string(),
  platformName: z.string().nullable(),
  /** Mission that the receiver was recorded with; null: none. */
  missionName: z.string().nullable(),
  /** Times in which it received AIS, to the minute, sorted. Between them it received nothing. */
  spans: z.array(z.tuple([micros, micros])),
});
export type HeardReceiver = z.output<typeof heardReceiver>;

export const listHeard = defineCall({
  method: 'GET',
  path: '/aissources/heard',
  summary: 'Lists the times when each AIS receiver that the caller may hear heard something between two moments',
  action: 'ais.read',
  input: z.object({ query: z.strictObject(between) }),
  answer: z.object({
    receivers: z.array(heardReceiver),
    more: z.boolean(),
    /** Highest label of these receivers. */
    securityClassification: classificationWord,
  }),
  errors: ['invalid', 'notSignedIn'],
});
export type Heard = z.output<typeof listHeard.answer>;

const ofSensor = { missionId: id, mission: z.string(), sensorId: id, sensor: z.string() };
const platform = { platformName: z.string(), platformType: z.string(), color: z.string() };

export const pastRecording = z.object({ ...ofSensor, ...platform, from: micros, to: micros });
export type PastRecording = z.output<typeof pastRecording>;

export const listRecordings = defineCall({
  method: 'GET',
  path: '/coverage/recordings',
  summary: 'Lists recordings with a position between two moments, of missions that the caller may read',
  action: 'mission.list',
  input: z.object({ query: z.strictObject(between) }),
  answer: z.object({
    /** Recordings sorted by their beginnings. */
    recordings: z.array(pastRecording),
    more: z.boolean(),
    /** Highest label of their missions. */
    securityClassification: classificationWord,
  }),
  errors: ['invalid', 'notSignedIn'],
});
export type PastRecordings = z.output<typeof listRecordings.answer>;

const position = z.tuple([z.number(), z.number()]);

export const pastFrame = z.object({
  ...ofSensor,
  ...platform,
  /** Time of the telemetry set. */
  time: micros,
  /** Upper left, upper right, lower right, lower left of the picture. */
  corners: z.tuple([position, position, position, position]),
  /** Where the platform was; null where the telemetry does not say. */
  platform: position.nullable(),
});
export type PastFrame = z.output<typeof pastFrame>;

export const listFrames = defineCall({
  method: 'GET',
  path: '/coverage/frames',
  summary:
    'Returns where each sensor looked at a moment, and where its platform was, of missions that the caller may read',
  action: 'mission.list',
  input: z.object({ query: z.strictObject({ time: moment }) }),
  answer: z.object({ frames: z.array(pastFrame) }),
  errors: ['invalid', 'notSignedIn'],
});
