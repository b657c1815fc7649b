import { type DocumentGeometry, documentGeometry, GEOMETRY_VERTICES_MAX } from '@osprey/contract';
import saxes from 'saxes';
import { z } from 'zod';
import { outlineFault } from '../outline.ts';

type Position = [number, number];
type Found = { points: Position[]; lines: Position[][]; polygons: Position[][][] };

/** Feature collections in feature collections: deeper is no document of people. */
const DEPTH_MAX = 16;

const nothing = (): Found => ({ points: [], lines: [], polygons: [] });

/** One geometry of what was found: areas before lines before points, since a document has one. */
function geometryOf({ points, lines, polygons }: Found): DocumentGeometry | null {
  const multi = {
    polygons: { type: 'MultiPolygon', coordinates: polygons },
    lines: { type: 'MultiLineString', coordinates: lines },
    points: { type: 'MultiPoint', coordinates: points },
  };
  if (polygons.length === 1) return checked({ type: 'Polygon', coordinates: polygons[0] });
  if (polygons.length > 1) return checked(multi.polygons);
  if (lines.length === 1) return checked({ type: 'LineString', coordinates: lines[0] });
  if (lines.length > 1) return checked(multi.lines);
  if (points.length === 1) return checked({ type: 'Point', coordinates: points[0] });
  return points.length > 1 ? checked(multi.points) : null;
}

function checked(geometry: unknown): DocumentGeometry | null {
  const parsed = documentGeometry.safeParse(geometry);
  return parsed.success ? parsed.data : null;
}

/** RFC 7946. What is broken in it is left out. */
export function readGeoJson(text: string): DocumentGeometry | null {
  const found = nothing();
  try {
    gather(JSON.parse(text), found, 0);
  } catch {
    return null;
  }
  return geometryOf(found);
}

const node = z.looseObject({ type: z.string() });
const list = z.array(z.unknown());

function gather(value: unknown, found: Found, depth: number): void {
  const parsed = node.safeParse(value);
  if (!parsed.success || depth > DEPTH_MAX) return;
  const { type, features, geometries, geometry, coordinates } = parsed.data;
  for (const child of [...(list.safeParse(features).data ?? []), ...(list.safeParse(geometries).data ?? [])]) {
    gather(child, found, depth + 1);
  }
  if (type === 'Feature') gather(geometry, found, depth + 1);
  const parts = checked({ type, coordinates });
  if (parts === null || outlineFault(parts) !== null) return;
  const flat = parts as { type: string; coordinates: never };
  if (flat.type === 'Point') found.points.push(flat.coordinates);
  if (flat.type === 'MultiPoint') found.points.push(...(flat.coordinates as Position[]));
  if (flat.type === 'LineString') found.lines.push(flat.coordinates);
  if (flat.type === 'MultiLineString') found.lines.push(...(flat.coordinates as Position[][]));
  if (flat.type === 'Polygon') found.polygons.push(flat.coordinates);
  if (flat.type === 'MultiPolygon') found.polygons.push(...(flat.coordinates as Position[][][]));
}

/** OGC KML 2.3: `coordinates` hold lon,lat[,alt] parted by blanks. Nothing outside the file is followed. */
export function readKml(text: string): DocumentGeometry | null {
  const found = nothing();
  const parser = new saxes.SaxesParser({ xmlns: false });
  const path: string[] = [];
  let coordinates = '';
  let rings: Position[][] = [];
  let vertices = 0;

  function placed(points: Position[]): void {
    vertices += points.length;
    if (points.length === 0 || vertices > GEOMETRY_VERTICES_MAX) return;
    if (path.includes('Polygon')) rings.push(points);
    else if (path.includes('LineString') || path.includes('LinearRing')) found.lines.push(points);
    else if (path.includes('Point')) found.points.push(points[0]!);
  }

  parser.on('opentag', ({ name }) => {
    path.push(localName(name));
    if (path.at(-1) === 'coordinates') coordinates = '';
    if (path.at(-1) === 'Polygon') rings = [];
  });
  parser.on('text', (part) => {
    if (path.at(-1) === 'coordinates') coordinates += part;
  });
  parser.on('closetag', () => {
    const name = path.pop();
    if (name === 'coordinates') placed(positionsOf(coordinates));
    if (name === 'Polygon' && rings.length > 0) found.polygons.push(rings);
  });
  parser.on('error', () => {});
  parser.write(text).close();
  return geometryOf(found);
}

const localName = (name: string): string => name.split(':').at(-1) ?? name;

const positionsOf = (text: string): Position[] =>
  text
    .trim()
    .split(/\s+/)
    .map((part) => part.split(',').map(Number))
    .flatMap(([lon, lat]): Position[] =>
      lon !== undefined && lat !== undefined && Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [[lon, lat]] : [],
    );
