import { z } from 'zod';
import { defineCall, done, micros } from './core/call.ts';
import { SEARCH_MAX } from './core/limits.ts';

/** Maximum number of places in the site's list. */
export const SITE_PLACES_MAX = 50_000;
/** Maximum size of the file as UTF-8, in bytes. */
export const SITE_PLACES_BYTES_MAX = 4 * 1024 * 1024;
/** Maximum number of lines whose problems an answer reports. */
export const SITE_PLACES_PROBLEMS_MAX = 20;
const FOUND_MAX = 20;
const FILE_NAME_MAX = 255;

export const sitePlace = z.object({
  name: z.string(),
  /** Kind of place, such as "harbour"; empty if the list does not state it. */
  kind: z.string(),
  /** Position in degrees, WGS 84. */
  lat: z.number(),
  lon: z.number(),
});
export type SitePlace = z.output<typeof sitePlace>;

export const searchSitePlaces = defineCall({
  method: 'GET',
  path: '/places',
  summary:
    "Lists the site's places whose name, or a word of it, begins with a text, whole names first. Accents and " +
    'capitals make no difference',
  action: 'lookup.read',
  input: z.object({
    query: z.object({
      search: z.string().min(1).max(SEARCH_MAX),
      limit: z
        .string()
        .regex(/^\d{1,2}$/)
        .transform(Number)
        .pipe(z.int().min(1).max(FOUND_MAX))
        .optional(),
    }),
  }),
  answer: z.array(sitePlace),
  errors: ['invalid', 'notSignedIn'],
});

export const sitePlaceList = z.object({
  count: z.int(),
  fileName: z.string(),
  uploaded: micros,
  /** Name of the account; null if the account no longer exists. */
  by: z.string().nullable(),
});
export type SitePlaceList = z.output<typeof sitePlaceList>;

export const getSitePlaceList = defineCall({
  method: 'GET',
  path: '/places/list',
  summary: "Returns the facts of the site's list of places, without its rows",
  action: 'places.manage',
  input: z.object({}),
  answer: z.object({ list: sitePlaceList.nullable() }),
  errors: ['notSignedIn', 'forbidden'],
});

export const sitePlaceProblem = z.object({ line: z.int(), text: z.string() });
export type SitePlaceProblem = z.output<typeof sitePlaceProblem>;

export const putSitePlaceList = defineCall({
  method: 'PUT',
  path: '/places/list',
  summary:
    "Replaces the site's list of places by a CSV file, whole or not at all. The first line names the columns: " +
    `name, latitude, longitude and optionally kind. At most ${SITE_PLACES_MAX} places and 4 MiB`,
  action: 'places.manage',
  // Allow for the escapes of quotes and line ends in the JSON body.
  bodyBytes: 2 * SITE_PLACES_BYTES_MAX,
  input: z.object({
    body: z.strictObject({
      fileName: z.string().trim().min(1).max(FILE_NAME_MAX),
      text: z.string(),
    }),
  }),
  answer: z.object({
    /** Null if there were problems, in which case nothing was changed. */
    list: sitePlaceList.nullable(),
    /** Problems in the file; only those of the first faulty lines. */
    problems: z.array(sitePlaceProblem),
    /** Number of lines that have a problem. */
    count: z.int(),
  }),
  errors: ['invalid', 'notSignedIn', 'forbidden'],
});

export const deleteSitePlaceList = defineCall({
  method: 'DELETE',
  path: '/places/list',
  summary: "Deletes the site's list of places",
  action: 'places.manage',
  input: z.object({}),
  answer: done,
  errors: ['notSignedIn', 'forbidden'],
});
