import { z } from 'zod';
import { classificationOf, classifications } from './classifications.ts';

/** Accepts the label as a word, or as the specification's number 1 to 5; converted to the word. */
export const classification = z
  .union([z.enum(classifications), z.int().min(1).max(classifications.length)])
  .transform((value) => (typeof value === 'number' ? classificationOf(value) : value));

/** Label as a word, the form used in answers. */
export const classificationWord = z.enum(classifications);

export const roles = ['superAdmin', 'admin', 'groupAdmin', 'user', 'guest'] as const;
export type Role = (typeof roles)[number];
export const role = z.enum(roles);

/** Returns the number of a role, from superAdmin 1 to guest 5; smaller numbers have more rights. */
export const roleNumber = (name: Role): number => roles.indexOf(name) + 1;
