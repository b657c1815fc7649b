import type { DocumentRow } from '@osprey/contract';
import { type Collected, collectedOf } from '../cases/add/collected.ts';

/** Returns documents as parts of a case. The server stores those that are snapshots as parts of kind snapshot. */
export const collectedDocuments = (rows: readonly DocumentRow[]): Collected =>
  collectedOf(rows, rows, ({ _id }) => ({ kind: 'document', documentId: _id }));
