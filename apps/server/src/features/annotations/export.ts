import {
  type Actor,
  AppError,
  type Classification,
  classificationOf,
  classificationRank,
  type exportAnnotations,
} from '@osprey/contract';
import type { z } from 'zod';
import type { Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { visibleAnnotations } from '../../base/items/visibility.ts';
import { conditions } from './filter.ts';
import { geoJsonText } from './formats/geojson-text.ts';
import { gpxText } from './formats/gpx-text.ts';
import { kmlText } from './formats/kml-text.ts';
import type { AnnotationRepository } from './repository.ts';
import { factsOfAnnotation, type StoredAnnotation, selectAnnotation } from './rows.ts';

type Order = z.output<typeof exportAnnotations.input>['body'];

/** Maximum number of annotations in one export. */
const EXPORTED_MAX = 2000;

const texts = {
  geojson: { text: geoJsonText, type: 'application/geo+json' },
  kml: { text: kmlText, type: 'application/vnd.google-earth.kml+xml' },
  gpx: { text: gpxText, type: 'application/gpx+xml' },
} as const;

/**
 * The rows that an export holds.
 *
 * @throws AppError forbidden; notFound where a named one is hidden; ruleRefused where they are too many
 */
export async function exportedRows(db: Db, actor: Actor, order: Order): Promise<StoredAnnotation[]> {
  const { annotations, search, bbox } = order;
  let query = selectAnnotation(visibleAnnotations(db, actor))
    .orderBy('annotations.creation_time', 'desc')
    .orderBy('annotations.id')
    .limit(EXPORTED_MAX + 1);
  if (annotations !== undefined) query = query.where('annotations.id', 'in', annotations);
  for (const condition of conditions({ ...(search && { search }), ...(bbox && { bbox }) }))
    query = query.where(condition);
  const rows = await query.execute();
  if (annotations !== undefined && rows.length < new Set(annotations).size) throw new AppError('notFound');
  if (rows.length > EXPORTED_MAX) {
    throw new AppError('ruleRefused', { reason: `One file holds at most ${EXPORTED_MAX} annotations.` });
  }
  for (const row of rows) authorize(actor, 'annotation.export', factsOfAnnotation(row));
  return rows;
}

/** Writes the file one annotation after the other, so that memory does not grow with their number. */
export function exportedFile(
  repository: Pick<AnnotationRepository, 'whole'>,
  actor: Actor,
  order: Order,
  rows: readonly StoredAnnotation[],
) {
  const { text, type } = texts[order.format];
  const label = highestOf(rows);
  async function* each() {
    for (const { id } of rows) {
      // Annotations that were deleted or hidden since the list was made are skipped.
      const found = await repository.whole(actor, id).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'notFound') return null;
        throw error;
      });
      if (found !== null) yield found.annotation;
    }
  }
  const name = `annotations-${label.replace(' ', '-')}.${order.format}`;
  return { text: text(each, label), type: `${type}; charset=utf-8`, name };
}

const highestOf = (rows: readonly StoredAnnotation[]): Classification =>
  classificationOf(
    Math.max(1, ...rows.map(({ classification }) => classificationRank(classificationOf(classification)))),
  );
