import { z } from 'zod';
import { classification, classificationWord } from './access/labels.ts';
import { defineCall, id } from './core/call.ts';
import { type ItemName, itemNames } from './items.ts';

/** A usergroup that an item would be shared with. */
const readerGroup = z.object({
  _id: id,
  name: z.string(),
  /** Highest label of items that the group may see. */
  ceiling: classificationWord,
  /** Whether the group's ceiling is high enough for the item's label. */
  shows: z.boolean(),
});

export const readers = z.object({
  /** Whether any account may read the item, regardless of clearance and usergroups. */
  everyone: z.boolean(),
  /** Whether guests are allowed and may read the item. */
  guests: z.boolean(),
  /**
   * Number of enabled accounts that may read the item, without the guest; null if the caller may not list all accounts.
   */
  people: z.int().min(0).nullable(),
  /** The requested usergroups that the caller may see, sorted by name. */
  groups: z.array(readerGroup),
});
export type Readers = z.output<typeof readers>;

export const getReaders = defineCall({
  method: 'POST',
  path: '/sharing/readers',
  summary:
    'Returns who could read an item with this label and audience. Changes nothing; usergroups that the caller ' +
    'does not see count as absent',
  action: 'account.own',
  input: z.object({
    body: z.strictObject({
      item: z.enum(itemNames as readonly [ItemName, ...ItemName[]]),
      securityClassification: classification,
      audience: z.enum(['everyone', 'groups']),
      usergroups: z.array(id).max(200).default([]),
    }),
  }),
  answer: readers,
  errors: ['invalid', 'notSignedIn', 'forbidden'],
});
