import { z } from 'zod';
import { classification, classificationWord } from './access/labels.ts';
import { defineCall, done, flag, id, list, micros } from './core/call.ts';
import { DESCRIPTION_MAX } from './core/limits.ts';
import { itemNouns } from './items.ts';

export const liveModes = ['Preview', 'WebRtc'] as const;

/**
 * Name of the group to which every account belongs. Its ceiling is UNCLASSIFIED, and it can be neither edited nor
 * deleted.
 */
export const DEMO_GROUP = 'Demo';

/** Usergroup name. Commas are not allowed, since they separate names in DELETE usergroups?usergroups=a,b. */
export const usergroupName = z
  .string()
  .trim()
  .min(1, 'Empty usergroup name')
  .max(64)
  .regex(/^[^,\p{C}]*$/u, 'Commas and control characters are not allowed');

export const usergroup = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  /** The group's ceiling: items with a higher label are never visible through this group. */
  securityClassification: classificationWord,
  liveModes: z.array(z.enum(liveModes)),
  created: micros,
  /**
   * Number of accounts that are members or administrators of the group. Present only if requested and if the caller may
   * know it.
   */
  users: z.int().optional(),
});
export type Usergroup = z.output<typeof usergroup>;

const fields = {
  name: usergroupName,
  description: z.string().max(DESCRIPTION_MAX).default(''),
  // Safe default for callers that omit the label: the group gives access to nothing above UNCLASSIFIED.
  securityClassification: classification.default('UNCLASSIFIED'),
  liveModes: z.array(z.enum(liveModes)).default([]),
};

export const listUsergroups = defineCall({
  method: 'GET',
  path: '/usergroups',
  summary: 'Lists usergroups: all for admins, their own for others',
  action: 'usergroup.list',
  input: z.object({ query: z.object({ /** Tell how many accounts each has. */ count: flag.optional() }).optional() }),
  answer: z.array(usergroup),
  errors: ['notSignedIn'],
});

export const createUsergroup = defineCall({
  method: 'POST',
  path: '/usergroups',
  summary: 'Adds a usergroup',
  action: 'usergroup.manage',
  input: z.object({ body: z.strictObject(fields) }),
  answer: usergroup,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'usergroupNameTaken'],
});

export const updateUsergroup = defineCall({
  method: 'PUT',
  path: '/usergroups/:id',
  summary: 'Changes a usergroup and keeps omitted fields. Demo cannot be changed',
  action: 'usergroup.manage',
  input: z.object({
    params: z.object({ id }),
    query: z.strictObject({
      name: usergroupName.optional(),
      description: z.string().max(DESCRIPTION_MAX).optional(),
      securityClassification: z
        .union([
          classificationWord,
          z
            .string()
            .regex(/^[1-5]$/)
            .transform(Number),
        ])
        .pipe(classification)
        .optional(),
      liveModes: list()
        .pipe(z.array(z.enum(liveModes)))
        .optional(),
    }),
  }),
  answer: usergroup,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'usergroupNameTaken'],
});

/** An item that nobody but a superAdmin would see once the usergroups were deleted. */
const onlyAudienceItem = z.object({
  _id: id,
  noun: z.enum(itemNouns),
  name: z.string(),
  label: classificationWord,
});
export type OnlyAudienceItem = z.output<typeof onlyAudienceItem>;

export const onlyAudience = defineCall({
  method: 'GET',
  path: '/usergroups/only',
  summary:
    'Lists the items that only a superAdmin would see without these usergroups, as far as the caller sees them by name',
  action: 'usergroup.manage',
  input: z.object({
    query: z.strictObject({ usergroups: list().pipe(z.array(z.string()).min(1, 'Name a usergroup')) }),
  }),
  answer: z.object({
    items: z.array(onlyAudienceItem),
    /** True if there are more such items, whose names the caller may not see. */
    hidden: z.boolean(),
  }),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound'],
});

export const deleteUsergroups = defineCall({
  method: 'DELETE',
  path: '/usergroups',
  summary: 'Deletes usergroups by name. If one is the only audience of an item, send `confirm`',
  action: 'usergroup.manage',
  input: z.object({ query: z.strictObject({ usergroups: list(), confirm: flag.optional() }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'usergroupInUse'],
});
