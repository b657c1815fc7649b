import type { z } from 'zod';

/**
 * One message from the server to its clients. `changed` events name ids only and the client asks again with its
 * own rights; `flow` events carry values and may be dropped.
 */
export type EventDefinition<Payload extends z.ZodType = z.ZodType> = {
  name: string;
  kind: 'changed' | 'flow';
  payload: Payload;
};

export function defineEvent<Payload extends z.ZodType>(event: EventDefinition<Payload>) {
  return event;
}
