import { documentGeometry, textScopes } from '@osprey/contract';
import { z } from 'zod';

/** Findings in a document, as printed by the child process. */
export const reading = z.object({
  /** Text for the search; empty if there is none. */
  text: z.string(),
  textScope: z.enum(textScopes),
  pages: z.int().nullable(),
  geometry: documentGeometry.nullable(),
  /** A small WebP picture, in base64. */
  thumbnail: z.string().nullable(),
  /** Reason why part of the document could not be read; becomes the end of a sentence. */
  problem: z.string().nullable(),
  /** Differences between the shown and the stored content, in whole sentences. */
  note: z.string().nullable(),
});
export type Reading = z.output<typeof reading>;
