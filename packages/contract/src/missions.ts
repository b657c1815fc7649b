import { z } from 'zod';
import { classification, classificationWord } from './access/labels.ts';
import { aoiModes } from './core/aoi-modes.ts';
import { deleteCallOf, restoreCallOf } from './core/bin-calls.ts';
import { defineCall, done, id, idOrName, list, micros, moment, reasonText } from './core/call.ts';
import {
  DESCRIPTION_MAX,
  LIST_MAX,
  NAME_MAX,
  NO_PLATFORM_NAME,
  QUERY_VERTICES_MAX,
  RATING_MAX,
  SEARCH_MAX,
  SORT_ORDER_MAX,
  TAG_MAX,
  TAGS_MAX,
} from './core/limits.ts';
import { optionalPage } from './core/page.ts';
import { platformTypes } from './lookups.ts';
import { DEFAULT_SENSOR, missionStates, newSensor, sensor } from './sensors.ts';

export const audiences = ['everyone', 'groups'] as const;

/** 1 to 64 characters of any script; no white space, `/`, `\`, commas or control characters, and not `.` or `..`. */
export const missionName = z
  .string()
  .min(1, 'Empty Mission name')
  .max(NAME_MAX, `Mission name is longer than ${NAME_MAX} characters`)
  .regex(/^\S*$/, 'Spaces are not allowed')
  .regex(/^[^/\\,\p{C}]*$/u, 'Slashes, commas and control characters are not allowed')
  .refine((name) => name !== '.' && name !== '..', 'This name is not allowed');

export const platform = z.object({
  name: z.string().trim().max(NAME_MAX).default(NO_PLATFORM_NAME),
  type: z.string().min(1).max(32).default(platformTypes[0]),
  presentation: z
    .object({
      color: z
        .string()
        .regex(/^#[0-9a-fA-F]{6}$/, 'Not a colour: use #rrggbb')
        .default('#004dcf'),
    })
    .default({ color: '#004dcf' }),
});

export const tag = z
  .string()
  .trim()
  .min(1)
  .max(TAG_MAX)
  .regex(/^[^,\p{C}]*$/u, 'Commas and control characters are not allowed in tags');

const described = {
  name: missionName,
  description: z.string().max(DESCRIPTION_MAX, `Description is longer than ${DESCRIPTION_MAX} characters`),
  /**
   * Ids of usergroups; empty entries are dropped. With audience `groups`, an empty list means that no account is
   * included.
   */
  usergroups: z
    .array(z.union([id, z.literal('')]))
    .max(200)
    .transform((ids) => [...new Set(ids.filter((one) => one !== ''))]),
  audience: z.enum(audiences),
  platform,
  rating: z.int().min(0).max(RATING_MAX),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  country_name: z.string().max(100).nullable(),
  tags: z
    .array(tag)
    .max(TAGS_MAX)
    .transform((tags) => [...new Set(tags)]),
  sortOrder: z.int().min(-SORT_ORDER_MAX).max(SORT_ORDER_MAX),
};

/** Fields of a new mission. Both the dialog and the server validate with this schema. */
export const newMission = z.object({
  name: described.name,
  description: described.description.default(''),
  usergroups: described.usergroups.default([]),
  audience: described.audience.default('groups'),
  /**
   * If omitted, the mission is stored unmarked with the highest label of the installation, so that a forgotten field
   * publishes nothing.
   */
  securityClassification: classification.optional(),
  platform: described.platform.prefault({}),
  rating: described.rating.default(0),
  country_code: described.country_code.default(null),
  country_name: described.country_name.default(null),
  tags: described.tags.default([]),
  sortOrder: described.sortOrder.default(0),
  sensors: z.array(newSensor).max(64).default([DEFAULT_SENSOR]),
});
export type NewMission = z.output<typeof newMission>;

/** Initial values of the dialog (specification 1, section 3). */
export const newMissionForm = newMission.parse({
  name: 'NewMission',
  description: 'Description',
  securityClassification: 'UNCLASSIFIED',
});

/** One row of the missions table. Field names are those of the specification. */
export const mission = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  /** Token for media of this mission, valid for 5 minutes and for this caller only. */
  accessToken: z.string().nullable(),
  /** Path below the server's own address. */
  thumbnail: z.string().nullable(),
  rating: z.int(),
  state: z.enum(missionStates),
  creationTime: micros,
  /** Start and end of the sensors' recordings; null until something was ingested. */
  startTime: micros.nullable(),
  endTime: micros.nullable(),
  recordingStartTime: micros.nullable(),
  recordingEndTime: micros.nullable(),
  platform: z.object({ name: z.string(), type: z.string(), presentation: z.object({ color: z.string() }) }),
  platformType: z.string(),
  /** The live platform that was recorded; null for uploaded missions. */
  platformId: id.nullable(),
  country_code: z.string().nullable(),
  country_name: z.string().nullable(),
  tags: z.array(z.string()),
  sortOrder: z.int(),
  sensors: z.array(sensor),
  /** Sum of the views of its sensors. */
  views: z.int().nonnegative(),
  securityClassification: classificationWord,
  /** False if the label was never chosen; shown as UNMARKED. */
  marked: z.boolean(),
  audience: z.enum(audiences),
  /** Ids of usergroups; only those that the caller may know of. */
  usergroups: z.array(id),
  /** Area seen by the sensors, in square kilometres; null until known. */
  areaSqKm: z.number().nullable(),
  /** A representative point of the mission for overview maps, as [lon, lat]. */
  place: z.array(z.number()).nullable(),
  sample: z.boolean(),
  /** Progress of the running job, in percent; null if none is running. */
  progress: z.number().nullable(),
  /** Reason why the job stopped, or a fault of one of its files. */
  message: z.string().nullable(),
  /**
   * Reason for the hold that protects the mission from deletion; null if there is no hold or the caller may not edit
   * the mission.
   */
  hold: z.string().nullable(),
  /** "Held by case 7", or "Held", if a case protects the mission from deletion; otherwise absent. */
  heldBy: z.string().optional(),
  /** Sent back with PUT, which fails with 409 if the row was changed in the meantime. */
  revision: z.int(),
});
export type Mission = z.output<typeof mission>;

export const missionSorts = [
  'state',
  'name',
  'description',
  'platform',
  'country',
  'startTime',
  'endTime',
  'rating',
  'views',
  'creationTime',
  'securityClassification',
] as const;

const sortKeys = missionSorts.flatMap((key) => [key, `-${key}`] as const);

/** GeoJSON Polygon or MultiPolygon as JSON text, or `minLon,minLat,maxLon,maxLat`. */
const queryGeometry = z.string().max(100_000);

export { QUERY_VERTICES_MAX };

export const missionFilter = z.object({
  /** Restricts the answer to these missions, so that a client can refresh those it already lists. */
  ids: list().pipe(z.array(id)).optional(),
  start: moment.optional(),
  end: moment.optional(),
  tags: list().optional(),
  country_codes: list().optional(),
  usergroups: list().pipe(z.array(id)).optional(),
  geometry: queryGeometry.optional(),
  /**
   * Defaults to `sensorArea`, which also finds recordings in progress, with at most 5 s delay; the other modes find
   * them only after ingest.
   */
  aoiMode: z.enum(aoiModes).optional(),
  /** Words to find in name, description, platform and tags; matched literally. */
  search: z.string().max(SEARCH_MAX).optional(),
  sort: z.enum(sortKeys).optional(),
  ...optionalPage,
});
export type MissionFilter = z.output<typeof missionFilter>;

export const listMissions = defineCall({
  method: 'GET',
  path: '/missions/brief',
  summary:
    'Lists missions visible to the caller, newest first. Without `limit` all of them, streamed; with it one page: ' +
    'the next cursor is in X-Next-After and, with count=1, the number of all in X-Total-Count',
  action: 'mission.list',
  input: z.object({ query: missionFilter }),
  answer: z.array(mission),
  errors: ['invalid', 'notSignedIn'],
});

const params = z.object({ mission: idOrName });
const readErrors = ['notSignedIn', 'notFound'] as const;

export const getMission = defineCall({
  method: 'GET',
  path: '/missions/:mission',
  summary: 'Returns one mission by name or id',
  action: 'mission.read',
  input: z.object({ params }),
  answer: mission,
  errors: readErrors,
});

export const createMission = defineCall({
  method: 'POST',
  path: '/missions',
  summary: 'Creates a mission in state Created, with its sensors',
  action: 'mission.create',
  input: z.object({ body: newMission }),
  answer: mission,
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'missionNameTaken',
    'sensorNameTaken',
    'labelAboveGroup',
    'hidesFromMaker',
    'unknownUsergroup',
  ],
});

/**
 * PUT missions: `_id`, or else the name, identifies the mission. Omitted fields keep their values; renameMission
 * changes the name.
 */
export const changedMission = z.object({
  _id: id.optional(),
  name: described.name,
  description: described.description.optional(),
  usergroups: described.usergroups.optional(),
  audience: described.audience.optional(),
  securityClassification: classification.optional(),
  platform: described.platform.optional(),
  rating: described.rating.optional(),
  country_code: described.country_code.optional(),
  country_name: described.country_name.optional(),
  tags: described.tags.optional(),
  sortOrder: described.sortOrder.optional(),
  /** Sensors with a new name are added; descriptions of existing ones are changed; none are removed. */
  sensors: z.array(newSensor).max(64).optional(),
  revision: z.int().optional(),
  /** Reason for lowering a label or widening an audience. */
  reason: reasonText.optional(),
});
export type ChangedMission = z.output<typeof changedMission>;

export const updateMission = defineCall({
  method: 'PUT',
  path: '/missions',
  summary: 'Changes a mission and keeps omitted fields',
  action: 'mission.update',
  input: z.object({ body: changedMission }),
  answer: mission,
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'notFound',
    'missionNameAmbiguous',
    'missionRenamed',
    'revisionConflict',
    'sensorNameTaken',
    'labelAboveGroup',
    'hidesFromMaker',
    'unknownUsergroup',
    'reasonNeeded',
  ],
});

export const deleteMissions = deleteCallOf(
  { plural: 'missions', item: 'mission', ids: z.array(idOrName).min(1).max(LIST_MAX) },
  ['missionNameAmbiguous', 'missionRenamed', 'missionHeld', 'caseHeld'],
);

export const restoreMissions = restoreCallOf(
  { plural: 'missions', item: 'mission', ids: z.array(id).min(1).max(LIST_MAX) },
  ', by id',
);

const position = z.array(z.number());

export const getMissionArea = defineCall({
  method: 'GET',
  path: '/missions/area/:mission',
  summary: 'Returns the area that the sensors of a mission saw, as GeoJSON',
  action: 'mission.read',
  input: z.object({ params }),
  answer: z.object({
    type: z.literal('Feature'),
    properties: z.object({ mission: z.string(), areaSqKm: z.number() }),
    geometry: z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(position))) }),
  }),
  errors: readErrors,
});

export const getThumbnail = defineCall({
  method: 'GET',
  path: '/videos/:mission/:thumbnail',
  summary: 'Returns a small picture of a mission, sensor or moment, also at /videos/…',
  action: 'mission.read',
  raw: 'media',
  input: z.object({
    params: z.object({ mission: idOrName, thumbnail: z.string().regex(/^[0-9a-zA-Z_-]{1,80}\.(?:webp|jpg)$/) }),
    query: z.object({ token: z.string().max(2048).optional() }),
  }),
  answer: z.unknown(),
  errors: readErrors,
});

export const removeSamples = defineCall({
  method: 'DELETE',
  path: '/missions/samples',
  summary: 'Removes the sample missions that came with the installation',
  action: 'sample.remove',
  input: z.object({}),
  answer: done.extend({
    /** Ids of the missions moved to the bin, so that `restoreMissions` can undo it. */
    missions: z.array(id),
  }),
  errors: ['notSignedIn', 'forbidden'],
});
