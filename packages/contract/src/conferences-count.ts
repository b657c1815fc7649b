import { z } from 'zod';
import { defineEvent } from './core/event.ts';

/** Number of occupied rooms that the recipient may join. */
export const conferencesCountEvent = defineEvent({
  name: 'conferencesCount',
  kind: 'flow',
  payload: z.object({ conferencesCount: z.int() }),
});
