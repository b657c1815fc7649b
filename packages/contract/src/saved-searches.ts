import { z } from 'zod';
import { defineCall, done, id, micros } from './core/call.ts';
import { NAME_MAX } from './core/limits.ts';
import { findFilter, targetShape } from './find-place.ts';

/** Maximum number of saved searches per account. */
export const SAVED_SEARCHES_MAX = 50;

const searchName = z
  .string()
  .trim()
  .min(1, 'A name is required')
  .max(NAME_MAX, `The name is longer than ${NAME_MAX} characters`)
  .regex(/^\P{C}*$/u, 'Control characters are not allowed');

/**
 * A saved search of Find by place. Only its owner sees it, and it runs with the rights that the owner has at the time.
 */
export const savedSearch = z.object({
  _id: id,
  name: z.string(),
  shape: targetShape,
  filter: findFilter,
  /** True if the owner is notified when a sensor sees the place while it is being recorded. */
  notify: z.boolean(),
  created: micros,
});
export type SavedSearch = z.output<typeof savedSearch>;

export const listSavedSearches = defineCall({
  method: 'GET',
  path: '/coverage/searches',
  summary: 'Lists the saved searches of the caller, by name',
  action: 'account.own',
  input: z.object({}),
  answer: z.array(savedSearch),
  errors: ['notSignedIn', 'forbidden'],
});

export const createSavedSearch = defineCall({
  method: 'POST',
  path: '/coverage/searches',
  summary: `Saves a search for the caller only, at most ${SAVED_SEARCHES_MAX}`,
  action: 'account.own',
  input: z.object({
    body: z.strictObject({
      name: searchName,
      shape: targetShape,
      filter: findFilter.default({}),
      notify: z.boolean().default(true),
    }),
  }),
  answer: savedSearch,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

export const updateSavedSearch = defineCall({
  method: 'PUT',
  path: '/coverage/searches/:id',
  summary: 'Renames a saved search of the caller, or replaces its question',
  action: 'account.own',
  input: z.object({
    params: z.object({ id }),
    body: z.strictObject({
      name: searchName.optional(),
      shape: targetShape.optional(),
      filter: findFilter.optional(),
      notify: z.boolean().optional(),
    }),
  }),
  answer: savedSearch,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

export const deleteSavedSearch = defineCall({
  method: 'DELETE',
  path: '/coverage/searches/:id',
  summary: 'Deletes a saved search of the caller',
  action: 'account.own',
  input: z.object({ params: z.object({ id }) }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});
