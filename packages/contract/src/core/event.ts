import type { z } from 'zod';

/**
 * A message from the server to its clients. `changed` events contain only ids, so that the client requests the data
 * with its own rights; `flow` events contain values and may be dropped.
 */
export type EventDefinition<Payload extends z.ZodType = z.ZodType> = {
  name: string;
  kind: 'changed' | 'flow';
  payload: Payload;
};

export function defineEvent<Payload extends z.ZodType>(event: EventDefinition<Payload>) {
  return event;
}
