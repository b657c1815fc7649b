import { z } from 'zod';
import { id, micros } from './core/call.ts';
import { defineEvent } from './core/event.ts';
import { streamStates } from './live-state.ts';
import { liveVideo } from './platforms.ts';

/** State of sensors and platforms that the reader may see; sent to clients that subscribed with LiveStreamEvents. */
export const streamMonitorEvent = defineEvent({
  name: 'streamMonitor',
  kind: 'flow',
  payload: z.discriminatedUnion('topic', [
    /** A stream came, went or was lost. `sensor` null: the platform as a whole. */
    z.object({
      topic: z.literal('state'),
      platform: id,
      sensor: id.nullable(),
      state: z.enum(streamStates),
      since: micros,
    }),
    /** Sources were switched or configured again: ask for the platforms again. */
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
 * Ships were heard by this sensor since its last event, sent at most once a second: ask for the ships again. `mission`:
 * the mission that they are recorded into. Sent to clients that subscribed with LiveStreamEvents.
 */
export const aisEvent = defineEvent({
  name: 'ais',
  kind: 'flow',
  payload: z.object({ platform: id, sensor: id, mission: id.nullable(), targets: z.int() }),
});
export type AisEvent = z.output<typeof aisEvent.payload>;

/** Ships of the part of the map that the page named by `AisView`: bytes as ais-frame.ts writes them, once a second. */
export const aisFrameEvent = defineEvent({
  name: 'aisFrame',
  kind: 'flow',
  payload: z.custom<ArrayBuffer | Uint8Array>((bytes) => bytes instanceof ArrayBuffer || bytes instanceof Uint8Array),
});

export type StreamMonitor = z.output<typeof streamMonitorEvent.payload>;

/** State of the recorder, for those who may control the platform; errors are shown as "Recorder error: {info}". */
export const recorderEvent = defineEvent({
  name: 'recorder',
  kind: 'flow',
  payload: z.object({
    topic: z.enum(['command', 'state', 'error', 'mission_update']),
    /** A whole sentence or, with `error`, what follows "Recorder error: ". */
    info: z.string(),
    platform: id.nullable(),
    mission: id.nullable(),
  }),
});
export type RecorderEvent = z.output<typeof recorderEvent.payload>;

/** Where live platforms are, at most four times a second each; sent to those who subscribed with LiveStreamEvents. */
export const livePositionEvent = defineEvent({
  name: 'livePosition',
  kind: 'flow',
  payload: z.object({
    platform: id,
    sensor: id,
    /** ST 0601 tag 2. */
    time: micros,
    /** ST 0601 tags 13 and 14, degrees, WGS 84. */
    lat: z.number(),
    lon: z.number(),
    /** ST 0601 tag 5, degrees; null when not sent. */
    heading: z.number().nullable(),
    /** ST 0601 tags 23 and 24. */
    frameCenter: z.tuple([z.number(), z.number()]).nullable(),
    /** Corners of the picture on the ground as [lat, lon], from the upper left clockwise; null when not known. */
    footprint: z.array(z.tuple([z.number(), z.number()])).nullable(),
  }),
});
export type LivePosition = z.output<typeof livePositionEvent.payload>;
