import type { AnnotationFeature } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { levelsOf, verticesIn } from './levels.ts';
import { placesOf } from './places.ts';

/** Maximum number of rows in one insert. */
const BATCH = 500;

/** Writes the rows that the map and the search by place read instead of the features. */
export async function writeParts(tx: Db, annotationId: string, features: readonly AnnotationFeature[]): Promise<void> {
  await asSystem(tx, 'annotation').deleteFrom('annotation_shapes').where('annotation_id', '=', annotationId).execute();
  await asSystem(tx, 'annotation').deleteFrom('annotation_levels').where('annotation_id', '=', annotationId).execute();
  const shapes = features.flatMap((feature, index) =>
    placesOf(feature).map((shape) => ({ annotation_id: annotationId, feature: index, shape })),
  );
  for (let start = 0; start < shapes.length; start += BATCH) {
    await tx
      .insertInto('annotation_shapes')
      .values(shapes.slice(start, start + BATCH))
      .execute();
  }
  for (const level of levelsOf(features)) {
    await tx
      .insertInto('annotation_levels')
      .values({
        ...{ annotation_id: annotationId, zoom: level.zoom, features: JSON.stringify(level.features) },
        vertices: verticesIn(level.features),
      })
      .execute();
  }
}
