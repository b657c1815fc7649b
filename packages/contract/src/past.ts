import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, id, micros, moment } from './core/call.ts';

/** Maximum number of days that one answer covers. */
export const PAST_DAYS_MAX = 8;
/** Maximum number of recordings in one answer; the newest come first. */
export const PAST_RECORDINGS_MAX = 200;
/** Maximum number of receivers in one answer, and of spans for each receiver. */
export const PAST_RECEIVERS_MAX = 100;

const between = { start: moment, end: moment };

export const heardReceiver = z.object({
  /** The sensor that received AIS. */
  sensor: id,
  sensorName: z.string(),
  platformName: z.string().nullable(),
  /** Mission into which the receiver was recorded; null if it was not recorded. */
  missionName: z.string().nullable(),
  /** Time spans in which the receiver received AIS, to the minute, sorted. It received nothing between them. */
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
    /** Recordings sorted by start time. */
    recordings: z.array(pastRecording),
    more: z.boolean(),
    /** Highest label of the recordings' missions. */
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
  /** Corners of the picture: upper left, upper right, lower right, lower left. */
  corners: z.tuple([position, position, position, position]),
  /** Position of the platform; null if the telemetry does not state it. */
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
