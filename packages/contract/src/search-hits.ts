import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { defineEvent } from './core/event.ts';

/** Maximum number of hits in one answer. Hits are kept for 30 days. */
export const SEARCH_HITS_MAX = 100;

/**
 * One hit of a saved search: its place came into view of a sensor that was being recorded. Each time this happens is a
 * separate hit.
 */
export const searchHit = z.object({
  _id: id,
  searchId: id,
  search: z.string(),
  missionId: id,
  mission: z.string(),
  /** Name of the platform; empty if the mission has none. */
  platform: z.string(),
  sensorId: id,
  sensor: z.string(),
  securityClassification: classificationWord,
  /** False if nobody chose the label of the mission. */
  marked: z.boolean(),
  /** Start of the first second in which the place was in view. */
  first: micros,
  /** Whether the place is currently in view. */
  now: z.boolean(),
  /** Whether the owner of the search has looked at the hit. */
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

/** Sent to the owner of the search, if they may still read the mission. */
export const searchHitEvent = defineEvent({ name: 'searchHit', kind: 'flow', payload: searchHit.omit({ seen: true }) });
