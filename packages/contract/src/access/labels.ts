import { z } from 'zod';

/** In rising order; the specification numbers them from 1. */
export const classifications = ['UNCLASSIFIED', 'RESTRICTED', 'CONFIDENTIAL', 'SECRET', 'TOP SECRET'] as const;
export type Classification = (typeof classifications)[number];

export const classificationRank = (name: Classification): number => classifications.indexOf(name) + 1;

export function classificationOf(rank: number): Classification {
  const name = classifications[rank - 1];
  if (name === undefined) throw new RangeError(`No classification has the rank ${rank}`);
  return name;
}

/** The word, or the specification's number 1 to 5; comes out as the word. */
export const classification = z
  .union([z.enum(classifications), z.int().min(1).max(classifications.length)])
  .transform((value) => (typeof value === 'number' ? classificationOf(value) : value));

/** As it stands in answers. */
export const classificationWord = z.enum(classifications);

export const roles = ['superAdmin', 'admin', 'groupAdmin', 'user', 'guest'] as const;
export type Role = (typeof roles)[number];
export const role = z.enum(roles);

/** superAdmin 1 to guest 5: a smaller number may do more. */
export const roleNumber = (name: Role): number => roles.indexOf(name) + 1;
