import { documentGeometry, textScopes } from '@osprey/contract';
import { z } from 'zod';

/** Findings of the child in a document, as it prints them. */
export const reading = z.object({
  /** Text for the search; empty where there is none. */
  text: z.string(),
  textScope: z.enum(textScopes),
  pages: z.int().nullable(),
  geometry: documentGeometry.nullable(),
  /** A small WebP, base64. */
  thumbnail: z.string().nullable(),
  /** Why something of it could not be read: the end of a sentence. */
  problem: z.string().nullable(),
  /** Differences between the shown and the stored content, in whole sentences. */
  note: z.string().nullable(),
});
export type Reading = z.output<typeof reading>;
