import { type Actor, AppError, type DocumentFilter, type DocumentRow } from '@osprey/contract';
import { centreOf, footprintOf } from '@osprey/geo';
import { sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { withHolds } from '../../base/items/case-hold.ts';
import { telemetryOfSnapshot } from '../../base/items/snapshot-columns.ts';
import { documentsInBin, visibleDocuments } from '../../base/items/visibility.ts';
import { conditions } from './filter.ts';
import type { Place } from './place-in-exif.ts';
import { type StoredDocument, selectDocument, toDocument } from './rows.ts';
import { cutPage, isAfter, NEWEST_FIRST, readCursor, type SortKey, sortBy } from './sort.ts';

export type DocumentRepository = ReturnType<typeof documentRepository>;

/** Maximum number of rows in one response that lists the bin. */
const BIN_MAX = 500;

/** Returns the download token that a document is listed with; null if the caller may not download it. */
export type DocumentTokenOf = (row: StoredDocument) => string | null;

/** Reads documents on behalf of an actor. */
export function documentRepository({ db }: { db: Db }) {
  /** Converts rows to the API format. */
  const shown = (
    actor: Actor,
    rows: readonly StoredDocument[],
    tokenOf: DocumentTokenOf = () => null,
  ): Promise<DocumentRow[]> =>
    withHolds(
      db,
      actor,
      'subject_id',
      rows.map((row) => toDocument(row, actor, tokenOf(row))),
    );

  return {
    shown,

    /** Returns one page in the API format, and the cursor of the next page; the cursor is null after the last page. */
    async page(
      actor: Actor,
      filter: DocumentFilter,
      tokenOf: DocumentTokenOf,
    ): Promise<{ rows: DocumentRow[]; next: string | null }> {
      const sort: SortKey = filter.sort ?? NEWEST_FIRST;
      const { value, order } = sortBy(sort);
      let query = selectDocument(visibleDocuments(db, actor))
        .select(value.as('sorted_by'))
        .orderBy(order)
        .limit(filter.limit + 1);
      for (const condition of conditions(filter)) query = query.where(condition);
      if (filter.after !== undefined) query = query.where(isAfter(readCursor(filter.after, sort)));
      const { rows, next } = cutPage(await query.execute(), { sort, limit: filter.limit });
      return { rows: await shown(actor, rows, tokenOf), next };
    },

    async count(actor: Actor, filter: DocumentFilter): Promise<number> {
      let query = visibleDocuments(db, actor).select(sql<number>`count(*)`.as('count'));
      for (const condition of conditions(filter)) query = query.where(condition);
      return (await query.executeTakeFirstOrThrow()).count;
    },

    /** @throws AppError notFound */
    async read(actor: Actor, id: string): Promise<StoredDocument> {
      return readDocument(db, actor, id);
    },

    /** Returns the ground position of the centre of a snapshot's frame; null if the telemetry does not contain it. */
    async frameCentre(actor: Actor, id: string): Promise<Place | null> {
      const row = await visibleDocuments(db, actor)
        .where('documents.id', '=', id)
        .select(telemetryOfSnapshot.as('telemetry'))
        .executeTakeFirst();
      const values = row?.telemetry ?? null;
      return values && (footprintOf(values)?.centre ?? centreOf(values));
    },

    async bin(actor: Actor): Promise<DocumentRow[]> {
      const rows = await selectDocument(documentsInBin(db, actor))
        .orderBy('documents.deleted_time', 'desc')
        .orderBy('documents.id')
        .limit(BIN_MAX)
        .execute();
      return shown(actor, rows);
    },
  };
}

/** Returns the document with this id if the actor may see it. @throws AppError notFound */
export async function readDocument(db: Db, actor: Actor, id: string): Promise<StoredDocument> {
  const row = await selectDocument(visibleDocuments(db, actor)).where('documents.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  return row;
}
