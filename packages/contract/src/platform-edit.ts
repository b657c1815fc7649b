import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, flag, id, list } from './core/call.ts';
import { liveVideo, platformConfig, platformSensorConfig } from './platforms.ts';

/** Reason for lowering a label or widening an audience. */
const reason = z.string().max(500).optional();
const params = z.object({ id });
/** Identifies the version of the platform that the client read. */
const revision = z.string().max(64);
const changed = z.object({
  message: z.string(),
  _id: id,
  /** Problems that did not prevent acceptance but should be checked. */
  warnings: z.array(z.string()),
});
const errors = [
  'invalid',
  'notSignedIn',
  'forbidden',
  'notFound',
  'reasonNeeded',
  'ruleRefused',
  'unknownUsergroup',
  'labelAboveGroup',
  'hidesFromMaker',
] as const;

export const readPlatform = platformConfig.extend({ revision });
export type ReadPlatform = z.output<typeof readPlatform>;

/** If a revision is sent, the call is refused if the platform has changed since it was read. */
export const changedPlatform = platformConfig.extend({ revision: revision.optional() });
export type ChangedPlatform = z.output<typeof changedPlatform>;

export const getPlatformConfig = defineCall({
  method: 'GET',
  path: '/platforms/:id/config',
  summary: 'Returns one platform as an entry of platforms.yml, passwords as ***',
  action: 'platformConfig.manage',
  input: z.object({ params }),
  answer: readPlatform,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});

export const createPlatform = defineCall({
  method: 'POST',
  path: '/platforms',
  summary: 'Adds a platform, given as an entry of platforms.yml',
  action: 'platformConfig.manage',
  input: z.object({ body: platformConfig }),
  answer: changed,
  errors,
});

/** The first picture of an address and what its stream says of itself, or the reason why there is none. */
export const sourceTested = z.object({
  /** JPEG in base64; null if `problem` gives the reason. */
  picture: z.string().nullable(),
  problem: z.string().nullable(),
  /** Platform Designation of the telemetry (ST 0601, tag 10). */
  name: z.string().nullable(),
  /** Highest security mark (ST 0102) found in the telemetry. */
  mark: classificationWord.nullable(),
  klv: z.boolean(),
  video: liveVideo.nullable(),
});
export type SourceTested = z.output<typeof sourceTested>;

export const testSource = defineCall({
  method: 'POST',
  path: '/platforms/source-test',
  summary: 'Opens an address for at most 20 s and returns its first picture, or the reason why there is none',
  action: 'platformConfig.manage',
  input: z.object({
    body: platformSensorConfig.pick({ url: true, from: true }).extend({
      /** Sensor whose stored password *** stands for: id of its platform, and its name. */
      stored: z.strictObject({ platform: id, sensor: z.string().max(64) }).optional(),
    }),
  }),
  answer: sourceTested,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'ruleRefused'],
});

export const updatePlatform = defineCall({
  method: 'PUT',
  path: '/platforms/:id',
  summary: 'Replaces the configuration of a platform. A password sent as *** is kept',
  action: 'platformConfig.manage',
  input: z.object({ params, query: z.strictObject({ reason }), body: changedPlatform }),
  answer: changed,
  errors: [...errors, 'revisionConflict'],
});

export const deletePlatform = defineCall({
  method: 'DELETE',
  path: '/platforms/:id',
  summary: 'Deletes a platform. Its recordings stay, and a running recording continues',
  action: 'platformConfig.manage',
  input: z.object({ params }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});

const usergroupsOf = {
  path: '/platforms/usergroups/:name',
  action: 'platform.control',
  input: z.object({
    params: z.object({ name: z.string().min(1).max(64) }),
    query: z.strictObject({
      /** Ids of usergroups; if empty, only superAdmins see the platform. */
      ids: list().pipe(z.array(id)).default([]),
      /** Adds a platform of this name, without sensors, if the caller sees none. */
      createIfNotExists: flag.optional(),
      /**
       * Label of a platform that is added. Defaults to the lowest ceiling of its usergroups, or to the highest label if
       * there are no usergroups.
       */
      securityClassification: classificationWord.optional(),
      reason,
    }),
  }),
  answer: done,
  errors,
} as const;

export const setPlatformUsergroups = defineCall({
  ...usergroupsOf,
  method: 'PUT',
  summary: 'Shares a platform, by name or id, with these usergroups only',
});

export const setPlatformUsergroupsByPost = defineCall({
  ...usergroupsOf,
  method: 'POST',
  summary: 'Shares a platform as PUT does',
});
