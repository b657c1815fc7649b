import type { Actor, AnnotationFeature, AnnotationFilter, ShownAnnotation } from '@osprey/contract';
import { sql } from 'kysely';
import { type Db, visibleAnnotations } from '../../base/access/visibility.ts';
import { boxAround, clippedTo } from './clip.ts';
import { conditions, isBoxInBox, isInBox } from './filter.ts';
import { type AnnotationFrames, frameColumns, indexKeyOfSensor } from './frames.ts';
import { LEVEL_ZOOMS, simplifiedFeatures, verticesIn } from './levels.ts';
import { toShown } from './rows.ts';

/** Annotations of one answer, the newest first. */
const SHOWN_MAX = 1000;
/** Positions of one answer, about 20 bytes each. */
const POSITIONS_MAX = 8000;
/** Positions that are read for it: some are outside of the box, and more are left out then. */
const READ_MAX = 3 * POSITIONS_MAX;
/** Pixels of the map for a box without a zoom, and of the world at zoom 0. */
const MAP_PX = 1024;
const WORLD_PX = 512;
const ZOOM_MAX = 24;
/** Where all of it together is too much, it is shown as at a zoom that much farther out. */
const COARSER = 2;

type Deps = { db: Db; frames: Pick<AnnotationFrames, 'placed'> };
type Area = AnnotationFilter & { bbox: string };

/** Annotations that touch the box, with as many positions as a map at this zoom can show. */
export async function shownAnnotations({ db, frames }: Deps, actor: Actor, filter: Area): Promise<ShownAnnotation[]> {
  const zoom = filter.zoom ?? zoomOf(filter.bbox);
  const wanted = LEVEL_ZOOMS.find((one) => one >= zoom) ?? ZOOM_MAX;
  const level = await levelFor({ db, actor, filter, wanted });
  const kept = sql<AnnotationFeature[]>`coalesce((
    select level.features from annotation_levels level
      where level.annotation_id = annotations.id and level.zoom >= ${level} order by level.zoom limit 1),
    annotations.features)`;
  const touching = sql<number[]>`array(select distinct place.feature from annotation_shapes place
    where place.annotation_id = annotations.id and ${isInBox(filter.bbox)})`;
  let query = visibleAnnotations(db, actor)
    .select(frameColumns)
    .select(indexKeyOfSensor)
    .select(['annotations.title', 'annotations.description', 'annotations.author'])
    .select(['annotations.classification', 'annotations.marked', 'annotations.vertices'])
    .select(['annotations.mission_id', kept.as('features'), touching.as('touching')])
    .orderBy('annotations.creation_time', 'desc')
    .orderBy('annotations.id')
    .limit(SHOWN_MAX);
  for (const condition of conditions(filter)) query = query.where(condition);
  const rows = await frames.placed(await query.execute());

  const box = boxAround(filter.bbox);
  const found = rows.map((row) => {
    const own = row.touching.toSorted((a, b) => a - b).flatMap((index) => row.features[index] ?? []);
    return { row, features: box === null ? own : own.map((feature) => clippedTo(feature, box)) };
  });
  const shown = within(
    found.map(({ features }) => features),
    Math.min(zoom, level),
  );
  return found.map(({ row }, index) => toShown(row, shown[index]!, verticesIn(shown[index]!) < row.vertices));
}

type Choosing = { db: Db; actor: Actor; filter: Area; wanted: number };

/**
 * The kept form to read: the wanted one, or a coarser one if the annotations inside the box have too many positions.
 * Reading and thinning them all took most of the time of such an answer.
 */
async function levelFor({ db, actor, filter, wanted }: Choosing): Promise<number> {
  const isWithin = sql<boolean>`not exists (select from annotation_shapes place
    where place.annotation_id = annotations.id and not ${isBoxInBox(filter.bbox)})`;
  let query = visibleAnnotations(db, actor)
    .select('annotations.vertices')
    .select(
      sql<[zoom: number, vertices: number][]>`coalesce((
        select json_agg(json_build_array(level.zoom, level.vertices) order by level.zoom)
        from annotation_levels level where level.annotation_id = annotations.id), '[]')`.as('levels'),
    )
    .where(isWithin)
    .orderBy('annotations.creation_time', 'desc')
    .orderBy('annotations.id')
    .limit(SHOWN_MAX);
  for (const condition of conditions(filter)) query = query.where(condition);
  const rows = await query.execute();
  const positionsAt = (zoom: number) =>
    rows.reduce((sum, { vertices, levels }) => sum + (levels.find(([own]) => own >= zoom)?.[1] ?? vertices), 0);
  const coarser = LEVEL_ZOOMS.filter((one) => one < wanted).toReversed();
  return [wanted, ...coarser].find((zoom) => positionsAt(zoom) <= READ_MAX) ?? LEVEL_ZOOMS[0];
}

/** As at this zoom, or farther out where that is still too much. */
function within(all: AnnotationFeature[][], zoom: number): AnnotationFeature[][] {
  let made = all;
  for (let at = Math.min(zoom, ZOOM_MAX); ; at -= COARSER) {
    const positions = made.reduce((sum, features) => sum + verticesIn(features), 0);
    if (positions <= POSITIONS_MAX || at < -COARSER) return made;
    made = made.map((features) => simplifiedFeatures(features, at));
  }
}

function zoomOf(bbox: string): number {
  const [west = 0, , east = 0] = bbox.split(',').map(Number);
  const wide = east < west ? east + 360 - west : east - west;
  return Math.min(ZOOM_MAX, Math.max(0, Math.log2((MAP_PX * 360) / (WORLD_PX * Math.max(wide, 1e-6)))));
}
