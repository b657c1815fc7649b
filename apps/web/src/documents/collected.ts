import type { DocumentRow } from '@osprey/contract';
import { type Collected, collectedOf } from '../cases/add/collected.ts';

/** Documents as parts of a case. The server makes snapshots of those that are some. */
export const collectedDocuments = (rows: readonly DocumentRow[]): Collected =>
  collectedOf(rows, rows, ({ _id }) => ({ kind: 'document', documentId: _id }));
