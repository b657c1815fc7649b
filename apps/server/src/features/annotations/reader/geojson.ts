import { BadFile } from './bad-file.ts';
import type { Gathering } from './gather.ts';

type Json = Readonly<Record<string, unknown>>;

/** Feature collections in feature collections: deeper is no file of people. */
const DEPTH_MAX = 16;
/** Names of WGS 84, longitude first (RFC 7946 knows no other). */
const WGS84 = /(?:CRS:?84|EPSG:{1,2}4326|OGC:1\.3:CRS84|WGS ?84)$/i;
const geometryTypes = /^(?:Multi)?(?:Point|LineString|Polygon)$|^GeometryCollection$/;

/** RFC 7946: a feature collection, a feature, or a geometry alone. @throws BadFile */
export function readGeoJson(text: string, into: Gathering): void {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    throw new BadFile('it is not valid JSON');
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root)) throw new BadFile('it is no GeoJSON');
  checkReferenceSystem(root as Json);
  into.labelled((root as Json).securityClassification);
  gather(root, into, 0);
}

function gather(value: unknown, into: Gathering, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) {
    into.add(null, null);
    return;
  }
  const { type, features, geometry, properties } = value as Json;
  if (type === 'FeatureCollection') {
    if (!Array.isArray(features)) throw new BadFile('its features are not a list');
    for (const one of features) gather(one, into, depth + 1);
  } else if (type === 'Feature') {
    into.labelled((properties as Json | null | undefined)?.securityClassification);
    into.add(geometry, properties);
  } else if (depth > 0 || geometryTypes.test(String(type))) {
    // A geometry where a feature should be is taken for one.
    into.add(value, null);
  } else throw new BadFile('it is no GeoJSON: its type is neither a feature, a collection of features nor a geometry');
}

/** The member `crs` of the old draft; coordinates other than WGS 84 would be misplaced. */
function checkReferenceSystem({ crs }: Json): void {
  if (typeof crs !== 'object' || crs === null) return;
  const { name } = ((crs as Json).properties ?? {}) as Json;
  if (typeof name !== 'string' || WGS84.test(name)) return;
  throw new BadFile(`its reference system is ${name.slice(0, 60)}; GeoJSON is taken in WGS 84 degrees alone`);
}
