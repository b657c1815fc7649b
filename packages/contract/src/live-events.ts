import { z } from 'zod';
import { id, micros } from './core/call.ts';
import { defineEvent } from './core/event.ts';
import { streamStates } from './live-state.ts';
import { liveVideo } from './platforms.ts';

/**
 * State of the sensors and platforms that the receiver may see; sent to clients that subscribed with LiveStreamEvents.
 */
export const streamMonitorEvent = defineEvent({
  name: 'streamMonitor',
  kind: 'flow',
  payload: z.discriminatedUnion('topic', [
    /** A stream started, ended or was lost. `sensor` is null if the event concerns the platform as a whole. */
    z.object({
      topic: z.literal('state'),
      platform: id,
      sensor: id.nullable(),
      state: z.enum(streamStates),
      since: micros,
    }),
    /** Sources were switched on or off, or reconfigured: the client should request the platforms again. */
    z.object({ topic: z.literal('config'), platform: id }),
    /** Detected content of the stream. */
    z.object({
      topic: z.literal('detection'),
      platform: id,
      sensor: id,
      video: liveVideo.omit({ browserPlayable: true }).nullable(),
      klv: z.boolean(),
    }),
  ]),
});
/**
 * This sensor received AIS messages of ships since its last event, which is sent at most once a second: the client
 * should request the ships again. `mission` is the mission into which they are recorded. Sent to clients that
 * subscribed with LiveStreamEvents.
 */
export const aisEvent = defineEvent({
  name: 'ais',
  kind: 'flow',
  payload: z.object({ platform: id, sensor: id, mission: id.nullable(), targets: z.int() }),
});
export type AisEvent = z.output<typeof aisEvent.payload>;

/** Ships in the map area that the page requested with `AisView`, once a second: bytes in the format of ais-frame.ts. */
export const aisFrameEvent = defineEvent({
  name: 'aisFrame',
  kind: 'flow',
  payload: z.custom<ArrayBuffer | Uint8Array>((bytes) => bytes instanceof ArrayBuffer || bytes instanceof Uint8Array),
});

export type StreamMonitor = z.output<typeof streamMonitorEvent.payload>;

/** State of the recorder, for those who may control the platform. Errors are shown as "Recorder error: {info}". */
export const recorderEvent = defineEvent({
  name: 'recorder',
  kind: 'flow',
  payload: z.object({
    topic: z.enum(['command', 'state', 'error', 'mission_update']),
    /** A whole sentence; if `error` is set, the text after "Recorder error: ". */
    info: z.string(),
    platform: id.nullable(),
    mission: id.nullable(),
  }),
});
export type RecorderEvent = z.output<typeof recorderEvent.payload>;

/**
 * Positions of live platforms, at most four times a second per platform; sent to clients that subscribed with
 * LiveStreamEvents.
 */
export const livePositionEvent = defineEvent({
  name: 'livePosition',
  kind: 'flow',
  payload: z.object({
    platform: id,
    sensor: id,
    /** Time stamp (ST 0601 tag 2). */
    time: micros,
    /** Position of the sensor (ST 0601 tags 13 and 14), in degrees, WGS 84. */
    lat: z.number(),
    lon: z.number(),
    /** Platform heading (ST 0601 tag 5), in degrees; null if not sent. */
    heading: z.number().nullable(),
    /** Frame centre (ST 0601 tags 23 and 24). */
    frameCenter: z.tuple([z.number(), z.number()]).nullable(),
    /** Ground corners of the picture as [lat, lon], clockwise from the upper left; null if unknown. */
    footprint: z.array(z.tuple([z.number(), z.number()])).nullable(),
  }),
});
export type LivePosition = z.output<typeof livePositionEvent.payload>;
