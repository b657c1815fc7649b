import { z } from 'zod';
import { flag } from './call.ts';
import { PAGE_MAX } from './limits.ts';

const pageSize = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(PAGE_MAX));

const cursor = {
  /** Cursor from the header X-Next-After of the previous page. */
  after: z.string().max(2048).optional(),
  /** Requests the total number in the header X-Total-Count. */
  count: flag.optional(),
};

/** Query parameters for an optional page; without `limit`, all rows are returned. */
export const optionalPage = { limit: pageSize.optional(), ...cursor };

/** Query parameters for a page, by default of 100 rows. */
export const page = { limit: pageSize.default(100), ...cursor };
