import { z } from 'zod';
import { flag } from './call.ts';
import { PAGE_MAX } from './limits.ts';

const pageSize = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(PAGE_MAX));

const cursor = {
  /** The header X-Next-After of the page before. */
  after: z.string().max(2048).optional(),
  /** Asks for the number of all in X-Total-Count. */
  count: flag.optional(),
};

/** Part of a query that asks for a page; without `limit`, for all rows. */
export const optionalPage = { limit: pageSize.optional(), ...cursor };

/** Part of a query that always gets a page, of 100 rows where it does not say. */
export const page = { limit: pageSize.default(100), ...cursor };
