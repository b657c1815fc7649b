import { z } from 'zod';
import { id } from './core/call.ts';
import { defineEvent } from './core/event.ts';

/** Maximum number of names in one event. */
export const VIEWERS_MAX = 50;

/** Message `MissionLook`: the mission that a page shows, or null if it no longer shows one. */
export const missionLook = z.strictObject({ mission: id.nullable() });
export type MissionLook = z.output<typeof missionLook>;

/** Usernames of other users who have this mission open and may read it; sent to everyone who also has it open. */
export const missionViewersEvent = defineEvent({
  name: 'missionViewers',
  kind: 'flow',
  payload: z.object({ mission: id, viewers: z.array(z.string()) }),
});
