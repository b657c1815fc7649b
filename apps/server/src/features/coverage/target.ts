import { type Actor, type AnnotationFeature, AppError, type TargetShape } from '@osprey/contract';
import {
  circlePart,
  corridorParts,
  type Position,
  probesOf,
  type StraightShape,
  straightParts,
  type Target,
  type TargetPart,
  targetOf,
} from '@osprey/geo';
import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { Database } from '../../base/db/schema.ts';
import { items } from '../../base/items/product.ts';
import { visibleAnnotations } from '../../base/items/visibility.ts';

type Geometry = AnnotationFeature['geometry'];

/** The shape of a request, prepared for comparison; `isPlace` is true if the shape is a single point. */
export type Asked = { target: Target; isPlace: boolean };

type Deps = { db: Kysely<Database>; actor: Actor; audit: Pick<RequestAudit, 'read'> };

/**
 * Prepares a shape for comparison with footprints. Annotations are read with the rights of the actor.
 *
 * @throws AppError invalid, notFound for an absent annotation
 */
export async function askedFor(deps: Deps, shape: TargetShape): Promise<Asked> {
  try {
    const parts = await partsOf(shape, (id) => readFeatures(deps, id));
    return { target: targetOf(parts), isPlace: shape.type === 'Point' };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('invalid', { field: 'shape', reason: 'The area is larger than half the earth' });
  }
}

/** Returns the shapes of an annotation without checking rights; an empty list if the annotation no longer exists. */
export type FeaturesOf = (annotationId: string) => Promise<AnnotationFeature[]>;

/**
 * Returns the index entries of footprints that may intersect a shape, without checking rights. Empty for an empty
 * shape.
 */
export async function probesOfShape(shape: TargetShape, featuresOf: FeaturesOf): Promise<number[]> {
  try {
    const parts = await partsOf(shape, featuresOf);
    return parts.length === 0 ? [] : probesOf(targetOf(parts).cells);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

async function partsOf(
  shape: TargetShape,
  featuresOf: (id: string) => Promise<AnnotationFeature[]>,
): Promise<TargetPart[]> {
  switch (shape.type) {
    case 'Point':
      return [{ kind: 'line', positions: [shape.coordinates] }];
    case 'Polygon':
      return straightParts([{ kind: 'area', rings: shape.coordinates }]);
    case 'Circle':
      return [circlePart({ lon: shape.centre[0], lat: shape.centre[1] }, shape.radiusM)];
    case 'Corridor':
      return corridorParts(shape.line, shape.widthM);
    case 'Annotation': {
      const features = await featuresOf(shape.id);
      return straightParts(features.flatMap(({ geometry }) => shapesOf(geometry)));
    }
  }
}

async function readFeatures({ db, actor, audit }: Deps, id: string): Promise<AnnotationFeature[]> {
  const [row, facts] = await Promise.all([
    visibleAnnotations(db, actor).select('annotations.features').where('annotations.id', '=', id).executeTakeFirst(),
    items.factsOf('annotation', asSystem(db, 'events'), id),
  ]);
  if (row === undefined || facts === null) throw new AppError('notFound');
  authorize(actor, 'annotation.read', facts);
  await audit.read('annotation.read', facts);
  return row.features as AnnotationFeature[];
}

function shapesOf(geometry: Geometry): StraightShape[] {
  switch (geometry.type) {
    case 'Point':
      return [lineOf([geometry.coordinates])];
    case 'MultiPoint':
      return geometry.coordinates.map((one) => lineOf([one]));
    case 'LineString':
      return [lineOf(geometry.coordinates)];
    case 'MultiLineString':
      return geometry.coordinates.map(lineOf);
    case 'Polygon':
      return [areaOf(geometry.coordinates)];
    case 'MultiPolygon':
      return geometry.coordinates.map(areaOf);
  }
}

const flat = ([lon = 0, lat = 0]: readonly number[]): Position => [lon, lat];
const lineOf = (positions: readonly number[][]): StraightShape => ({ kind: 'line', positions: positions.map(flat) });
const areaOf = (rings: readonly number[][][]): StraightShape => ({
  kind: 'area',
  rings: rings.map((ring) => ring.map(flat)),
});
