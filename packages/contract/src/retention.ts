import { z } from 'zod';
import { defineCall, done, id, micros } from './core/call.ts';
import { NAME_MAX } from './core/limits.ts';

const fields = {
  /** Usergroup whose missions the rule covers; null for any. */
  usergroup: id.nullable().default(null),
  /** Name of the platform whose missions the rule covers; null for any. */
  platform: z.string().trim().min(1).max(NAME_MAX).nullable().default(null),
  /** Number of days since the end of the recording, or since the creation of a mission without a recording. */
  days: z.int().min(1, 'At least 1 day').max(36_500, 'At most 36500 days'),
};

export const newRetentionRule = z.strictObject(fields);

export const retentionRule = z.object({
  _id: id,
  usergroup: id.nullable(),
  platform: z.string().nullable(),
  days: z.int(),
  created: micros,
  /**
   * Username of the account whose rights limit the rule: missions that this account may not delete are not touched.
   * Null if the account no longer exists, in which case the rule is inactive.
   */
  by: z.string().nullable(),
  /** Number of missions that the rule will move to the bin at its next run and that the caller can read. */
  due: z.int(),
});
export type RetentionRule = z.output<typeof retentionRule>;

const params = z.object({ id });
const errors = ['invalid', 'notSignedIn', 'forbidden', 'ruleRefused'] as const;

export const listRetentionRules = defineCall({
  method: 'GET',
  path: '/retention/rules',
  summary: 'Lists the rules by which missions move to the bin. If several apply to a mission, the longest counts',
  action: 'retention.manage',
  input: z.object({}),
  answer: z.array(retentionRule),
  errors: ['notSignedIn', 'forbidden'],
});

export const createRetentionRule = defineCall({
  method: 'POST',
  path: '/retention/rules',
  summary: 'Adds a retention rule',
  action: 'retention.manage',
  input: z.object({ body: newRetentionRule }),
  answer: retentionRule,
  errors,
});

export const updateRetentionRule = defineCall({
  method: 'PUT',
  path: '/retention/rules/:id',
  summary: 'Changes a retention rule',
  action: 'retention.manage',
  input: z.object({ params, body: newRetentionRule }),
  answer: retentionRule,
  errors: [...errors, 'notFound'],
});

export const deleteRetentionRule = defineCall({
  method: 'DELETE',
  path: '/retention/rules/:id',
  summary: 'Deletes a retention rule',
  action: 'retention.manage',
  input: z.object({ params }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});

export const getStorageForecast = defineCall({
  method: 'GET',
  path: '/retention/forecast',
  summary: 'Returns when the disk will be full at the rate of the last 30 days',
  action: 'retention.manage',
  input: z.object({}),
  answer: z.object({
    totalBytes: z.int(),
    freeBytes: z.int(),
    /** Growth in bytes per day, averaged over the last 30 days. */
    growthBytes: z.number(),
    /** Size of the missions in the bin, in bytes. */
    binBytes: z.int(),
    /** Estimated time at which the disk will be full; null if stored data does not grow. */
    fullTime: micros.nullable(),
    /** Estimated time at which uploads will be stopped, before the disk is full. */
    uploadsStopTime: micros.nullable(),
    /** Number of bytes received in files on each of the last 30 days, oldest first. */
    days: z.array(z.object({ time: micros, bytes: z.int() })),
    /** Stored ship positions that belong to no mission; null if there are none. The disk's used bytes include them. */
    ships: z
      .object({
        bytes: z.int(),
        /** Mean size of one day, in bytes, over the last whole days. */
        dayBytes: z.int(),
        keepDays: z.int(),
      })
      .nullable(),
  }),
  errors: ['notSignedIn', 'forbidden'],
});
