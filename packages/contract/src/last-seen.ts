import { z } from 'zod';
import { defineCall, moment } from './core/call.ts';

/** Highest zoom of tiles of the last-seen map, which are numbered as those of web maps: 2^zoom columns and rows. */
export const LAST_SEEN_ZOOM_MAX = 14;

const whole = (most: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.int().max(most));

export const lastSeenTile = z.object({
  /** The world has 2^level columns of longitude from 180° west and as many rows of latitude from 90° south. */
  level: z.int(),
  /**
   * Three numbers for each cell of the tile that was ever seen: its column, its row, and the end of the last second in
   * which any part of it was seen, UTC seconds since 1970. The middle of each cell is in the tile.
   */
  cells: z.array(z.number()),
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
    /** Recordings whose telemetry says where they looked, and is in the index. */
    indexed: z.int(),
    notIndexed: z.int(),
    withoutPosition: z.int(),
  }),
  errors: ['notSignedIn'],
});
