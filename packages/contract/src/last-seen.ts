import { z } from 'zod';
import { defineCall, moment } from './core/call.ts';

/** Maximum zoom level of the tiles of the last-seen map. Tiles are numbered as in web maps: 2^zoom columns and rows. */
export const LAST_SEEN_ZOOM_MAX = 14;

const whole = (most: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.int().max(most));

export const lastSeenTile = z.object({
  /**
   * Grid level of the cells: the world has 2^level columns, counted in longitude from 180° west, and as many rows,
   * counted in latitude from 90° south.
   */
  level: z.int(),
  /**
   * Three numbers for each cell of the tile that was ever seen: its column, its row, and the end of the last second in
   * which any part of it was seen, in seconds since 1970 (UTC). A cell belongs to the tile that contains its centre.
   */
  cells: z.array(z.number()),
  /**
   * Numbers of those cells, counted from 0, that were last seen only approximately: by a square around the frame centre
   * of telemetry without corners and attitude. Absent if there are none.
   */
  approximate: z.array(z.int()).optional(),
});
export type LastSeenTile = z.output<typeof lastSeenTile>;

export const getLastSeenTile = defineCall({
  method: 'GET',
  path: '/coverage/last-seen',
  summary:
    'Returns when the cells of a map tile were last seen before a moment, in all recordings that the caller may ' +
    'read. `zoom`, `x` and `y` are those of web map tiles; without `at` the moment is now',
  action: 'mission.list',
  input: z.object({
    query: z.object({
      zoom: whole(LAST_SEEN_ZOOM_MAX),
      x: whole(2 ** LAST_SEEN_ZOOM_MAX - 1),
      y: whole(2 ** LAST_SEEN_ZOOM_MAX - 1),
      at: moment.optional(),
    }),
  }),
  answer: lastSeenTile,
  errors: ['invalid', 'notSignedIn'],
});

export const getCoverageState = defineCall({
  method: 'GET',
  path: '/coverage/state',
  summary: 'Returns how many of the recordings that the caller may read are in the index of seen ground',
  action: 'mission.list',
  input: z.object({}),
  answer: z.object({
    /** Number of recordings that are in the index, since their telemetry says where the sensor looked. */
    indexed: z.int(),
    notIndexed: z.int(),
    withoutPosition: z.int(),
  }),
  errors: ['notSignedIn'],
});

export const getSeenExtent = defineCall({
  method: 'GET',
  path: '/coverage/extent',
  summary:
    'Returns where a map opens: the box around the ground that was seen in the last 30 days, in all recordings that ' +
    'the caller may read; without any, around the places of their missions',
  action: 'mission.list',
  input: z.object({}),
  answer: z.object({
    /** West, south, east, north; the east is beyond 180 where the box is over the antimeridian. Null without any place. */
    extent: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  }),
  errors: ['notSignedIn'],
});
