import { z } from 'zod';
import { classification, classificationWord } from './access/labels.ts';
import { defineCall, id } from './core/call.ts';
import { type ItemName, itemNames } from './items.ts';

/** A usergroup that an item would be shared with. */
const readerGroup = z.object({
  _id: id,
  name: z.string(),
  /** The highest label that it may show. */
  ceiling: classificationWord,
  /** Whether the group's ceiling reaches the label of the item. */
  shows: z.boolean(),
});

export const readers = z.object({
  /** Whether any account may read it, with any clearance and usergroups. */
  everyone: z.boolean(),
  /** Whether guests are allowed and may read it. */
  guests: z.boolean(),
  /** Enabled accounts that may read it, without the guest; null where the caller may not list all accounts. */
  people: z.int().min(0).nullable(),
  /** The named usergroups that the caller sees, by name. */
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
