import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { id, micros } from './core/call.ts';
import { defineEvent } from './core/event.ts';

// Messages and events for looking at things together: people in one conference room see the same moment of the same
// mission. Pages send the messages, under the names below, and the server replies with the events.

/** Maximum number of sensors; more than a mission view shows at a time. */
const SENSORS_MAX = 4;
/** Maximum distance behind live, in seconds; live streams are rewound by hours rather than weeks. */
const BEHIND_MAX_S = 7 * 24 * 3600;

const lon = z.number().min(-180).max(180);
const lat = z.number().min(-90).max(90);

/** Position of the map; null while no map is on screen. */
const mapPlace = z
  .strictObject({
    center: z.tuple([lon, lat]),
    zoom: z.number().min(0).max(24),
    bearing: z.number().min(-360).max(360),
    pitch: z.number().min(0).max(85),
  })
  .nullable();

/** View of a mission that the leader shares with followers. */
export const sharedMission = z.strictObject({
  mission: id,
  /** Sensor whose clock is the master; null until one is chosen. */
  sensor: id.nullable(),
  /** Sensors on screen; null for the default selection. */
  shown: z.array(id).max(SENSORS_MAX).nullable(),
  timeUs: micros,
  playing: z.boolean(),
  /** True while playback is waiting for pictures, so that the clock stands still. */
  waiting: z.boolean(),
  speed: z.number().min(0.1).max(16),
  map: mapPlace,
});
export type SharedMission = z.output<typeof sharedMission>;

/**
 * View of the live page that the leader shares with followers. Live pictures arrive at different times on each page, so
 * pages share only the distance from live.
 */
export const sharedLive = z.strictObject({
  /** Platform sensors on screen. Each follower receives only those that they may watch. */
  live: z.array(id).max(SENSORS_MAX),
  /** Sensor that leads the live clock; null if none does. */
  sensor: id.nullable(),
  playing: z.boolean(),
  /** Distance behind live, in seconds; 0 means live. */
  behindS: z.number().min(0).max(BEHIND_MAX_S),
  map: mapPlace,
});
export type SharedLive = z.output<typeof sharedLive>;

export const sharedView = z.union([sharedMission, sharedLive]);
export type SharedView = z.output<typeof sharedView>;

/**
 * Message `Together`: makes the page lead a room, follow in it, or do neither. `watch` subscribes to the event
 * `together`.
 */
export const togetherWish = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('watch') }),
  z.strictObject({ command: z.enum(['lead', 'follow', 'stop']), room: id }),
]);
export type TogetherWish = z.output<typeof togetherWish>;

/**
 * Message `TogetherShow`: what the leader's page currently shows; null if it shows neither a mission nor the live page.
 */
export const togetherShow = z.strictObject({ room: id, view: sharedView.nullable() });
export type TogetherShow = z.output<typeof togetherShow>;

/**
 * A place in the picture of a sensor, as fractions from 0 to 1 counted from the upper left corner, or a place on the
 * map.
 */
export const pointedPlace = z.discriminatedUnion('on', [
  z.strictObject({ on: z.literal('picture'), sensor: id, x: z.number().min(0).max(1), y: z.number().min(0).max(1) }),
  z.strictObject({ on: z.literal('map'), lon, lat }),
]);
export type PointedPlace = z.output<typeof pointedPlace>;

/**
 * Message `TogetherPoint`: the position of the pointer of somebody who is looking at the shared mission, or at the live
 * page if `mission` is null. `at` is null when the pointer no longer points anywhere.
 */
export const togetherPoint = z.strictObject({ room: id, mission: id.nullable(), at: pointedPlace.nullable() });
export type TogetherPoint = z.output<typeof togetherPoint>;

/** The rooms that this page's account has joined, and the role of this page in each. */
export const togetherEvent = defineEvent({
  name: 'together',
  kind: 'flow',
  payload: z.object({
    rooms: z.array(
      z.object({
        _id: id,
        name: z.string(),
        securityClassification: classificationWord,
        /** Username of the leader; null if there is none. */
        leader: z.string().nullable(),
        page: z.enum(['leads', 'follows', 'neither']),
        /**
         * Sent only to the leader: the label of a mission or platform that is not shown to anybody, since it is above
         * the room's label.
         */
        refused: classificationWord.nullable(),
      }),
    ),
  }),
});
export type TogetherRoom = z.output<typeof togetherEvent.payload>['rooms'][number];

/** Sent to pages that follow. `view` is null if there is nothing that the page may see. */
export const togetherViewEvent = defineEvent({
  name: 'togetherView',
  kind: 'flow',
  payload: z.object({ room: id, view: sharedView.nullable() }),
});

/** Sent to every page that takes part in the shared view, except the one that is pointing. */
export const togetherPointEvent = defineEvent({
  name: 'togetherPoint',
  kind: 'flow',
  payload: z.object({ room: id, mission: id.nullable(), by: z.string(), at: pointedPlace.nullable() }),
});
