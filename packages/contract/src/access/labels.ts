import { z } from 'zod';
import { classificationOf, classifications } from './classifications.ts';

/** The word, or the specification's number 1 to 5; comes out as the word. */
export const classification = z
  .union([z.enum(classifications), z.int().min(1).max(classifications.length)])
  .transform((value) => (typeof value === 'number' ? classificationOf(value) : value));

/** The form used in answers. */
export const classificationWord = z.enum(classifications);

export const roles = ['superAdmin', 'admin', 'groupAdmin', 'user', 'guest'] as const;
export type Role = (typeof roles)[number];
export const role = z.enum(roles);

/** superAdmin 1 to guest 5: a smaller number may do more. */
export const roleNumber = (name: Role): number => roles.indexOf(name) + 1;
