import { z } from 'zod';

/**
 * Protocol between the api and the gateway, in frames of recorder-wire/messages.ts. Sessions belong to the connection
 * that opened them, and end with it, since lost rights could no longer be reported.
 */
export const toGateway = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), session: z.uuid(), sensorId: z.uuid(), offer: z.string() }),
  z.object({ kind: z.literal('close'), session: z.uuid() }),
]);
export type ToGateway = z.output<typeof toGateway>;

export const fromGateway = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), session: z.uuid(), answer: z.string() }),
  /** `reason`: a sentence about the stream, the browser or too many viewers; null if there is no picture now. */
  z.object({ kind: z.literal('refused'), session: z.uuid(), reason: z.string().nullable() }),
  /** Number of bytes sent so far; sent at intervals and at the end. */
  z.object({ kind: z.literal('sent'), session: z.uuid(), bytes: z.int() }),
  z.object({ kind: z.literal('ended'), session: z.uuid() }),
]);
export type FromGateway = z.output<typeof fromGateway>;
