import { z } from 'zod';
import { defineEvent } from './core/event.ts';

/** Occupied rooms that the reader may join. */
export const conferencesCountEvent = defineEvent({
  name: 'conferencesCount',
  kind: 'flow',
  payload: z.object({ conferencesCount: z.int() }),
});
