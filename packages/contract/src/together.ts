import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { id, micros } from './core/call.ts';
import { defineEvent } from './core/event.ts';

// Messages of pages, under the names below, and the events that answer them: people in one conference room look at the
// same moment of the same mission.

/** More sensors than a mission view shows at once. */
const SENSORS_MAX = 4;
/** A live stream is wound back by hours, not by weeks. */
const BEHIND_MAX_S = 7 * 24 * 3600;

const lon = z.number().min(-180).max(180);
const lat = z.number().min(-90).max(90);

/** Null while no map is on screen. */
const mapPlace = z
  .strictObject({
    center: z.tuple([lon, lat]),
    zoom: z.number().min(0).max(24),
    bearing: z.number().min(-360).max(360),
    pitch: z.number().min(0).max(85),
  })
  .nullable();

/** View of a mission that a leader shows to followers. */
export const sharedMission = z.strictObject({
  mission: id,
  /** Sensor that leads the clock; null until one is chosen. */
  sensor: id.nullable(),
  /** Sensors on screen; null for those that are shown at first. */
  shown: z.array(id).max(SENSORS_MAX).nullable(),
  timeUs: micros,
  playing: z.boolean(),
  /** Playing, but waiting for pictures: the clock does not move. */
  waiting: z.boolean(),
  speed: z.number().min(0.1).max(16),
  map: mapPlace,
});
export type SharedMission = z.output<typeof sharedMission>;

/**
 * View of the live page that a leader shows to followers. Live pictures arrive at different times, so that pages share
 * only the distance from live.
 */
export const sharedLive = z.strictObject({
  /** Sensors of platforms on screen, of which each follower is told those that they may watch. */
  live: z.array(id).max(SENSORS_MAX),
  /** Leading sensor of the live clock; null until one leads. */
  sensor: id.nullable(),
  playing: z.boolean(),
  /** Seconds behind live; 0: live. */
  behindS: z.number().min(0).max(BEHIND_MAX_S),
  map: mapPlace,
});
export type SharedLive = z.output<typeof sharedLive>;

export const sharedView = z.union([sharedMission, sharedLive]);
export type SharedView = z.output<typeof sharedView>;

/** `Together`: which page leads a room, follows in it, or does neither. `watch` asks for the event `together`. */
export const togetherWish = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('watch') }),
  z.strictObject({ command: z.enum(['lead', 'follow', 'stop']), room: id }),
]);
export type TogetherWish = z.output<typeof togetherWish>;

/** `TogetherShow`: what the page of the leader shows now; null: neither a mission nor the live page. */
export const togetherShow = z.strictObject({ room: id, view: sharedView.nullable() });
export type TogetherShow = z.output<typeof togetherShow>;

/** A place in the picture of a sensor, from 0 to 1 from its upper left corner, or on the map. */
export const pointedPlace = z.discriminatedUnion('on', [
  z.strictObject({ on: z.literal('picture'), sensor: id, x: z.number().min(0).max(1), y: z.number().min(0).max(1) }),
  z.strictObject({ on: z.literal('map'), lon, lat }),
]);
export type PointedPlace = z.output<typeof pointedPlace>;

/**
 * `TogetherPoint`: where the pointer of somebody who looks at the shared mission, or at the live page (null), is; null:
 * nowhere any more.
 */
export const togetherPoint = z.strictObject({ room: id, mission: id.nullable(), at: pointedPlace.nullable() });
export type TogetherPoint = z.output<typeof togetherPoint>;

/** The rooms that the account of this page is in, and what this page does in each. */
export const togetherEvent = defineEvent({
  name: 'together',
  kind: 'flow',
  payload: z.object({
    rooms: z.array(
      z.object({
        _id: id,
        name: z.string(),
        securityClassification: classificationWord,
        /** Username of the leader; null: none. */
        leader: z.string().nullable(),
        page: z.enum(['leads', 'follows', 'neither']),
        /** To the leader alone: the label of a mission or platform that is above the room's, so that nobody is shown it. */
        refused: classificationWord.nullable(),
      }),
    ),
  }),
});
export type TogetherRoom = z.output<typeof togetherEvent.payload>['rooms'][number];

/** To a page that follows. Null: there is nothing that it may see. */
export const togetherViewEvent = defineEvent({
  name: 'togetherView',
  kind: 'flow',
  payload: z.object({ room: id, view: sharedView.nullable() }),
});

/** To each page that shows what is looked at together, but the one that points. */
export const togetherPointEvent = defineEvent({
  name: 'togetherPoint',
  kind: 'flow',
  payload: z.object({ room: id, mission: id.nullable(), by: z.string(), at: pointedPlace.nullable() }),
});
