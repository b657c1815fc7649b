import type { Actor, AnnotationFeature, AnnotationFilter } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { visibleAnnotations } from '../../base/items/visibility.ts';
import { boxAround, clippedTo } from './clip.ts';
import { conditions, isBoxInBox, isInBox } from './filter.ts';
import { type AnnotationFrames, frameColumns, indexKeyOfFrame } from './frames.ts';
import { drawnFeatures, LEVEL_ZOOMS, verticesIn } from './levels.ts';
import { shownText } from './rows.ts';

/** Maximum number of annotations in one response, newest first. */
const SHOWN_MAX = 1000;
/**
 * Maximum number of positions in one response, about 17 bytes each. The target is lower, since the stored form is
 * selected by an estimate that may be slightly wrong.
 */
const POSITIONS_MAX = 10_000;
const POSITIONS_TARGET = 8000;
/** Width of the map assumed for a box without a zoom, and width of the world at zoom 0, in pixels. */
const MAP_PX = 1024;
const WORLD_PX = 512;
const ZOOM_MAX = 24;
/** If all annotations together have too many positions, they are simplified as for a zoom this many levels lower. */
const COARSER = 2;

type Deps = { db: Db; frames: Pick<AnnotationFrames, 'placed'> };
type Area = AnnotationFilter & { bbox: string };

/**
 * Returns the annotations that touch the box as JSON, with as many positions as a map at this zoom can show.
 * Annotations entirely inside the box are sent in their stored form, since parsing, validating and serialising them
 * again took most of the time.
 */
export async function shownAnnotations({ db, frames }: Deps, actor: Actor, filter: Area): Promise<string> {
  const zoom = filter.zoom ?? zoomOf(filter.bbox);
  const found = new Map((await touching(db, actor, filter)).map((one) => [one.id, one]));
  const level = levelFor([...found.values()], zoom);
  const retained = sql<string>`coalesce((
    select level.features::text from annotation_levels level
      where level.annotation_id = annotations.id and level.zoom >= ${level} order by level.zoom limit 1),
    annotations.features::text)`;
  const rows = await visibleAnnotations(db, actor)
    .select(frameColumns)
    .select(indexKeyOfFrame)
    .select(['annotations.title', 'annotations.description', 'annotations.author'])
    .select(['annotations.classification', 'annotations.marked', 'annotations.mission_id', retained.as('features')])
    .where(sql<boolean>`annotations.id = any(${[...found.keys()]}::uuid[])`)
    .orderBy('annotations.creation_time', 'desc')
    .orderBy('annotations.id')
    .execute();

  const box = boxAround(filter.bbox);
  const shown = rows.map(({ id, features: text }): Shown => {
    const one = found.get(id)!;
    if (one.inside === one.places) return { vertices: verticesAt(one, level), text };
    const all = JSON.parse(text) as AnnotationFeature[];
    const own = one.features.flatMap((index) => all[index] ?? []);
    const features = box === null ? own : own.map((feature) => clippedTo(feature, box));
    return { vertices: verticesIn(features), features };
  });
  const thinned = within(shown, Math.min(zoom, level));
  const placed = await frames.placed(rows);
  const texts = placed.map((row, index) => {
    const one = thinned[index]!;
    return shownText(row, one.vertices < found.get(row.id)!.vertices, textOf(one));
  });
  return `[${texts.join()}]`;
}

/** Features of an annotation as JSON, or parsed where only a part of them is sent. */
type Shown = { vertices: number } & ({ text: string } | { features: AnnotationFeature[] });

const textOf = (one: Shown): string => ('text' in one ? one.text : JSON.stringify(one.features));

type Touching = {
  id: string;
  vertices: number;
  /** Indexes of the features that touch the box, in order. */
  features: number[];
  /** Number of its search shapes: all, those that touch the box, and those that lie inside it. */
  places: number;
  touching: number;
  inside: number;
  levels: [zoom: number, vertices: number][];
};

/** Which visible annotations touch the box. The shapes in the box are looked up once, not again for each annotation. */
async function touching(db: Db, actor: Actor, filter: Area): Promise<Touching[]> {
  const { bbox, ...others } = filter;
  type Found = { id: string } & Pick<Touching, 'features' | 'touching' | 'inside'>;
  const inBox = sql<Found>`(
    with found as materialized (
      select place.annotation_id as id, array_agg(distinct place.feature order by place.feature) as features,
        count(*)::int as touching, (count(*) filter (where ${isBoxInBox(bbox)}))::int as inside
      from annotation_shapes place where ${isInBox(bbox)} group by 1)
    select * from found)`.as('found');
  let query = visibleAnnotations(db, actor)
    .innerJoin(inBox, 'found.id', 'annotations.id')
    .select(['annotations.id', 'annotations.vertices', 'found.features', 'found.touching', 'found.inside'])
    .select([
      sql<number>`(select count(*)::int from annotation_shapes place where place.annotation_id = annotations.id)`.as(
        'places',
      ),
      sql<Touching['levels']>`coalesce((
        select json_agg(json_build_array(level.zoom, level.vertices) order by level.zoom)
        from annotation_levels level where level.annotation_id = annotations.id), '[]')`.as('levels'),
    ])
    .orderBy('annotations.creation_time', 'desc')
    .orderBy('annotations.id')
    .limit(SHOWN_MAX);
  for (const condition of conditions(others)) query = query.where(condition);
  return query.execute();
}

const verticesAt = ({ levels, vertices }: Touching, zoom: number): number =>
  levels.find(([own]) => own >= zoom)?.[1] ?? vertices;

/** Selects the stored level to read: that of the zoom, or a coarser one if the box would contain too many positions. */
function levelFor(found: readonly Touching[], zoom: number): number {
  const requested = LEVEL_ZOOMS.find((one) => one >= zoom) ?? ZOOM_MAX;
  const positionsAt = (level: number) =>
    found.reduce((sum, one) => sum + (verticesAt(one, level) * one.touching) / one.places, 0);
  const coarser = LEVEL_ZOOMS.filter((one) => one < requested).toReversed();
  let [best, fewest] = [requested, Infinity];
  for (const level of [requested, ...coarser]) {
    const positions = positionsAt(level);
    if (positions < fewest) [best, fewest] = [level, positions];
    if (fewest <= POSITIONS_TARGET) break;
  }
  return best;
}

/** Returns the annotations unchanged, or simplified as for lower zooms if they have too many positions. */
function within(all: readonly Shown[], zoom: number): readonly Shown[] {
  let made = all;
  for (let at = Math.min(zoom, ZOOM_MAX); ; at -= COARSER) {
    const positions = made.reduce((sum, { vertices }) => sum + vertices, 0);
    if (positions <= POSITIONS_MAX || at < -COARSER) return made;
    made = made.map((one) => {
      const features = drawnFeatures('text' in one ? JSON.parse(one.text) : one.features, at);
      return { features, vertices: verticesIn(features) };
    });
  }
}

function zoomOf(bbox: string): number {
  const [west = 0, , east = 0] = bbox.split(',').map(Number);
  const wide = east < west ? east + 360 - west : east - west;
  return Math.min(ZOOM_MAX, Math.max(0, Math.log2((MAP_PX * 360) / (WORLD_PX * Math.max(wide, 1e-6)))));
}
