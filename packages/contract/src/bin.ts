import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, id, idOrName, micros, reasonText } from './core/call.ts';
import { audiences } from './missions.ts';

/** Number of days that a deleted mission remains in the bin before its files are removed. */
export const BIN_DAYS = 30;
/** Maximum number of missions in the bin that one answer lists, newest first. */
export const BIN_LISTED_MAX = 1000;

export const binnedMission = z.object({
  _id: id,
  name: z.string(),
  securityClassification: classificationWord,
  marked: z.boolean(),
  audience: z.enum(audiences),
  /** Names of user groups. */
  usergroups: z.array(z.string()),
  sensors: z.int(),
  sizeBytes: z.int(),
  deletedTime: micros,
  /** Username of the account that deleted it; null for a retention rule, or a deleted account. */
  deletedBy: z.string().nullable(),
  /** Time at which its files are removed permanently. */
  endTime: micros,
  /** "Held by case 7", or "Held", if a case prevents its removal until it is released; otherwise absent. */
  heldBy: z.string().optional(),
});
export type BinnedMission = z.output<typeof binnedMission>;

export const listBin = defineCall({
  method: 'GET',
  path: '/bin',
  summary: `Lists deleted missions that the caller could read, newest first, at most ${BIN_LISTED_MAX}`,
  action: 'bin.list',
  input: z.object({}),
  answer: z.array(binnedMission),
  errors: ['notSignedIn', 'forbidden'],
});

export const emptyBin = defineCall({
  method: 'DELETE',
  path: '/bin',
  summary: 'Deletes missions of the bin for good. Without `missions`, all that the caller can read',
  action: 'bin.empty',
  input: z.object({ body: z.strictObject({ missions: z.array(id).min(1).max(BIN_LISTED_MAX).optional() }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'caseHeld'],
});

const params = z.object({ mission: idOrName });

export const holdMission = defineCall({
  method: 'PUT',
  path: '/missions/:mission/hold',
  summary: 'Puts a mission on hold, so that neither users nor rules delete it',
  action: 'mission.hold',
  input: z.object({
    params,
    body: z.strictObject({
      reason: reasonText.trim().min(10, 'Please give a reason of at least 10 characters'),
    }),
  }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'missionNameAmbiguous', 'missionRenamed'],
});

export const releaseMission = defineCall({
  method: 'DELETE',
  path: '/missions/:mission/hold',
  summary: 'Ends the hold of a mission',
  action: 'mission.hold',
  input: z.object({ params }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'missionNameAmbiguous', 'missionRenamed'],
});
