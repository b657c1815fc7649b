import type { CasePart } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';

export type Extent = NonNullable<CasePart['extent']>;

/** To a metre: shapes that hold no area were stored a little wider. */
const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/**
 * The smallest box that holds all of them; null without any. West is east of east where it crosses the antimeridian, in
 * them as in the answer.
 */
export function extentOf(boxes: readonly Extent[]): Extent | null {
  if (boxes.length === 0) return null;
  const spans = boxes
    .flatMap(([west, , east]): [number, number][] =>
      west <= east
        ? [[west, east]]
        : [
            [west, 180],
            [-180, east],
          ],
    )
    .sort((a, b) => a[0] - b[0]);
  // The widest stretch of longitudes that no box touches is left out: at first the one around the antimeridian.
  const [first] = spans[0]!;
  const last = Math.max(...spans.map(([, east]) => east));
  let gap = { width: first + 360 - last, from: last, to: first };
  let reach = first;
  for (const [west, east] of spans) {
    if (west - reach > gap.width) gap = { width: west - reach, from: reach, to: west };
    reach = Math.max(reach, east);
  }
  const south = Math.min(...boxes.map((box) => box[1]));
  const north = Math.max(...boxes.map((box) => box[3]));
  return [gap.to, south, gap.from, north].map(rounded) as Extent;
}

type Row = { id: string; boxes: Extent[] };

/** Boxes of the shapes of documents and annotations, by the id of these. */
export async function shapeExtents(
  db: Db,
  wanted: { documents: readonly string[]; annotations: readonly string[] },
): Promise<Map<string, Extent>> {
  const rows = (await Promise.all([ofDocuments(db, wanted.documents), ofAnnotations(db, wanted.annotations)])).flat();
  return new Map(
    rows.flatMap(({ id, boxes }) => {
      const extent = extentOf(boxes);
      return extent === null ? [] : [[id, extent] as const];
    }),
  );
}

/** Box of a polygon of PostgreSQL; [0] of a box is its upper right corner. */
const boxes = sql<Extent[]>`json_agg(json_build_array(
  ((shape::box)[1])[0], ((shape::box)[1])[1], ((shape::box)[0])[0], ((shape::box)[0])[1]))`;

const ofDocuments = async (db: Db, ids: readonly string[]): Promise<Row[]> =>
  ids.length === 0
    ? []
    : asSystem(db, 'case')
        .selectFrom('document_shapes')
        .where('document_id', 'in', [...ids])
        .select(['document_id as id', boxes.as('boxes')])
        .groupBy('document_id')
        .execute();

const ofAnnotations = async (db: Db, ids: readonly string[]): Promise<Row[]> =>
  ids.length === 0
    ? []
    : asSystem(db, 'case')
        .selectFrom('annotation_shapes')
        .where('annotation_id', 'in', [...ids])
        .select(['annotation_id as id', boxes.as('boxes')])
        .groupBy('annotation_id')
        .execute();
