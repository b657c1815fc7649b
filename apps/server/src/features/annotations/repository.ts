import {
  type Actor,
  type Annotation,
  type AnnotationFeature,
  type AnnotationFilter,
  type AnnotationRow,
  AppError,
} from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { withHolds } from '../../base/items/case-hold.ts';
import { annotationsInBin, visibleAnnotations } from '../../base/items/visibility.ts';
import { conditions } from './filter.ts';
import type { AnnotationFrames } from './frames.ts';
import { type StoredAnnotation, selectAnnotation, toAnnotation } from './rows.ts';
import { shownAnnotations } from './shown.ts';
import { cutPage, isAfter, NEWEST_FIRST, readCursor, type SortKey, sortBy } from './sort.ts';

export type AnnotationRepository = ReturnType<typeof annotationRepository>;

/** Number of rows in a response if the caller states no limit, and in the list of the bin. */
const ROWS_MAX = 500;

/** All reading of annotations by an actor. */
export function annotationRepository({ db, frames }: { db: Db; frames: Pick<AnnotationFrames, 'placed'> }) {
  /** Converts stored annotations to the contract's shape. */
  async function toRows(actor: Actor, rows: readonly StoredAnnotation[]): Promise<AnnotationRow[]> {
    const placed = await frames.placed(rows);
    return withHolds(
      db,
      actor,
      'subject_id',
      placed.map((row) => toAnnotation(row, actor)),
    );
  }

  return {
    /** Returns one page in the contract's shape, and the cursor of the next page (null on the last page). */
    async page(actor: Actor, filter: AnnotationFilter): Promise<{ rows: AnnotationRow[]; next: string | null }> {
      const sort: SortKey = filter.sort ?? NEWEST_FIRST;
      const limit = filter.limit ?? ROWS_MAX;
      const { value, order } = sortBy(sort);
      let query = selectAnnotation(visibleAnnotations(db, actor))
        .select(value.as('sorted_by'))
        .orderBy(order)
        .limit(limit + 1);
      for (const condition of conditions(filter)) query = query.where(condition);
      if (filter.after !== undefined) query = query.where(isAfter(readCursor(filter.after, sort)));
      const { rows, next } = cutPage(await query.execute(), { sort, limit });
      return { rows: await toRows(actor, rows), next };
    },

    async count(actor: Actor, filter: AnnotationFilter): Promise<number> {
      let query = visibleAnnotations(db, actor).select(sql<number>`count(*)`.as('count'));
      for (const condition of conditions(filter)) query = query.where(condition);
      return (await query.executeTakeFirstOrThrow()).count;
    },

    /** Returns the JSON of annotations in the form shown on a map. */
    shown: (actor: Actor, filter: AnnotationFilter & { bbox: string }) =>
      shownAnnotations({ db, frames }, actor, filter),

    /** Reads an annotation, with the data that the audit needs. @throws AppError notFound */
    async read(actor: Actor, id: string): Promise<{ row: StoredAnnotation; annotation: AnnotationRow }> {
      const row = await readAnnotation(db, actor, id);
      const [annotation] = await toRows(actor, [row]);
      return { row, annotation: annotation! };
    },

    /** Reads an annotation with all of its features. @throws AppError notFound */
    async whole(actor: Actor, id: string): Promise<{ row: StoredAnnotation; annotation: Annotation }> {
      const row = await selectAnnotation(visibleAnnotations(db, actor))
        .select('annotations.features')
        .where('annotations.id', '=', id)
        .executeTakeFirst();
      if (row === undefined) throw new AppError('notFound');
      const features = row.features as AnnotationFeature[];
      const [shown] = await toRows(actor, [row]);
      return { row, annotation: { ...shown!, type: 'FeatureCollection', features } };
    },

    async bin(actor: Actor): Promise<AnnotationRow[]> {
      const rows = await selectAnnotation(annotationsInBin(db, actor))
        .orderBy('annotations.deleted_time', 'desc')
        .orderBy('annotations.id')
        .limit(ROWS_MAX)
        .execute();
      return toRows(actor, rows);
    },
  };
}

/** The visible annotation of this id. @throws AppError notFound */
export async function readAnnotation(db: Db, actor: Actor, id: string): Promise<StoredAnnotation> {
  const row = await selectAnnotation(visibleAnnotations(db, actor)).where('annotations.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  return row;
}

/** Returns the features of an annotation, regardless of rights; empty if it no longer exists. */
export async function featuresOfAnnotation(db: Db, id: string): Promise<AnnotationFeature[]> {
  const row = await asSystem(db, 'annotation')
    .selectFrom('annotations')
    .select('features')
    .where('id', '=', id)
    .executeTakeFirst();
  return (row?.features ?? []) as AnnotationFeature[];
}
