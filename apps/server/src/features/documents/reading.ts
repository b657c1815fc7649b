import { documentGeometry, textScopes } from '@osprey/contract';
import { z } from 'zod';

/** What the child found in a document, as it prints it. */
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
  /** What is shown otherwise than it stands in the file, in whole sentences. */
  note: z.string().nullable(),
});
export type Reading = z.output<typeof reading>;
