import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { defineEvent } from './core/event.ts';

/** Most hits of one answer. Hits are kept for 30 days. */
export const SEARCH_HITS_MAX = 100;

/** A place of a saved search came into view of a sensor being recorded: one hit for each time. */
export const searchHit = z.object({
  _id: id,
  searchId: id,
  search: z.string(),
  missionId: id,
  mission: z.string(),
  /** Empty where the mission has none. */
  platform: z.string(),
  sensorId: id,
  sensor: z.string(),
  securityClassification: classificationWord,
  /** False: nobody chose the label of the mission. */
  marked: z.boolean(),
  /** The beginning of the first second that shows the place. */
  first: micros,
  /** Whether the place is in view at this moment. */
  now: z.boolean(),
  /** Whether its owner has looked at it. */
  seen: z.boolean(),
});
export type SearchHit = z.output<typeof searchHit>;

export const listSearchHits = defineCall({
  method: 'GET',
  path: '/coverage/hits',
  summary: "Lists the hits of the caller's saved searches in missions that they may read, newest first",
  action: 'account.own',
  input: z.object({}),
  answer: z.array(searchHit),
  errors: ['notSignedIn', 'forbidden'],
});

export const seeSearchHits = defineCall({
  method: 'POST',
  path: '/coverage/hits/seen',
  summary: 'Marks all hits so far as seen by the caller',
  action: 'account.own',
  input: z.object({}),
  answer: done,
  errors: ['notSignedIn', 'forbidden'],
});

export const clearSearchHits = defineCall({
  method: 'DELETE',
  path: '/coverage/hits',
  summary: 'Clears the hits of the caller',
  action: 'account.own',
  input: z.object({}),
  answer: done,
  errors: ['notSignedIn', 'forbidden'],
});

/** Sent to the owner of the search, as long as they may read the mission. */
export const searchHitEvent = defineEvent({ name: 'searchHit', kind: 'flow', payload: searchHit.omit({ seen: true }) });
