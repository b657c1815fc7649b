import type { AnnotationFeature, FeatureGeometry, FeatureProperties } from '@osprey/contract';
import type { Insertable, Kysely } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';
import { verticesIn } from '../src/features/annotations/levels.ts';
import { writeParts } from '../src/features/annotations/write.ts';

const plainAnnotation: Omit<Insertable<Database['annotations']>, 'title' | 'features' | 'geometries' | 'vertices'> = {
  description: '',
  annotation_type: 'GeoJson',
  classification: 1,
  marked: true,
  audience: 'everyone',
  edit_lock: false,
  tags: [],
  author_id: null,
  author: 'somebody',
  creation_time: 0,
  mission_id: null,
  start_time: null,
  end_time: null,
  deleted_time: null,
  deleted_by: null,
};

export const featureOf = (geometry: FeatureGeometry, properties: FeatureProperties = {}): AnnotationFeature => ({
  type: 'Feature',
  properties,
  geometry,
});

export const pointAt = (lon: number, lat: number, properties: FeatureProperties = {}): AnnotationFeature =>
  featureOf({ type: 'Point', coordinates: [lon, lat] }, properties);

/** An annotation for everyone, UNCLASSIFIED and not locked, of a point in the Aegean, unless `fields` say else. */
export async function addAnnotation(
  db: Kysely<Database>,
  fields: Partial<Insertable<Database['annotations']>> = {},
  groups: readonly string[] = [],
  features: readonly AnnotationFeature[] = [pointAt(24.5, 37.5)],
): Promise<string> {
  const id = crypto.randomUUID();
  const made = { features: JSON.stringify(features), geometries: features.length, vertices: verticesIn(features) };
  const row = { ...plainAnnotation, id, title: 'annotation', ...made, ...fields };
  await db.insertInto('annotations').values(row).execute();
  const links = groups.map((usergroup_id) => ({ annotation_id: id, usergroup_id }));
  if (links.length > 0) await db.insertInto('annotation_usergroups').values(links).execute();
  await writeParts(db, id, features);
  return id;
}

/** A body for POST annotations. */
export const newAnnotationBody = (fields: object = {}) => ({
  title: 'Search area',
  annotationType: 'GeoJson',
  securityClassification: 1,
  type: 'FeatureCollection',
  features: [pointAt(24.5, 37.5)],
  ...fields,
});
