import type { AnnotationFilter } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { partPattern } from '../../base/db/keyset.ts';
import { queryAreas, touches } from '../../base/db/query-geometry.ts';

/** Maximum number of words evaluated in a search; further words are ignored. */
const WORDS_MAX = 10;

/** The conditions of GET annotations besides visibility. */
export function conditions(filter: AnnotationFilter): RawBuilder<boolean>[] {
  const { bbox, mission, search, tags } = filter;
  const found: RawBuilder<boolean>[] = [];
  if (mission !== undefined) found.push(sql`annotations.mission_id = ${mission}::uuid`);
  if (tags?.length) found.push(sql`annotations.tags && ${tags}::text[]`);
  if (bbox !== undefined) {
    // Written as an array, the subquery is evaluated once; otherwise it would be planned again for each annotation.
    found.push(sql`annotations.id = any(array(
      select distinct place.annotation_id from annotation_shapes place where ${isInBox(bbox)}))`);
  }
  const words = (search ?? '').split(/\s+/).filter((one) => one !== '');
  for (const word of words.slice(0, WORDS_MAX)) found.push(sql`annotations.head_text ilike ${partPattern(word)}`);
  return found;
}

/**
 * Condition that a row `place` of the shapes touches the box. Shapes that lie inside it are not compared edge by edge.
 * @throws AppError invalid
 */
export function isInBox(bbox: string): RawBuilder<boolean> {
  const each = queryAreas(bbox).map(
    (area) => sql`(box(place.shape) && box(${area.outline}::polygon)
      and (box(place.shape) <@ box(${area.outline}::polygon) or ${touches([area], sql`place.shape`)}))`,
  );
  return sql`(${sql.join(each, sql` or `)})`;
}

/**
 * Condition that the bounding box of a row `place` of the shapes is inside the box, or inside one of its parts if it
 * crosses the antimeridian.
 */
export function isBoxInBox(bbox: string): RawBuilder<boolean> {
  const each = queryAreas(bbox).map(({ outline }) => sql`box(place.shape) <@ box(${outline}::polygon)`);
  return sql`(${sql.join(each, sql` or `)})`;
}
