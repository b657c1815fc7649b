import type { Position } from '@osprey/geo';
import saxes from 'saxes';
import { createShapes, type Places } from './shapes.ts';

/** Feature collections in feature collections: deeper is no document of people. */
const DEPTH_MAX = 16;

type Shapes = ReturnType<typeof createShapes>;

/** Reads the places of a GeoJSON document (RFC 7946). Broken shapes are left out and counted. */
export function readGeoJson(text: string): Places {
  const shapes = createShapes();
  try {
    gather(JSON.parse(text), shapes, 0);
  } catch {
    return { geometry: null, note: null };
  }
  return shapes.places();
}

type Json = Readonly<Record<string, unknown>>;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function gather(value: unknown, shapes: Shapes, depth: number): void {
  if (typeof value !== 'object' || value === null || typeof (value as Json).type !== 'string') return;
  const { type, features, geometries, geometry, coordinates } = value as Json;
  if (depth > DEPTH_MAX) {
    shapes.addBroken('it is nested too deep');
    return;
  }
  for (const child of [...listOf(features), ...listOf(geometries)]) gather(child, shapes, depth + 1);
  if (type === 'Feature') gather(geometry, shapes, depth + 1);
  const part = String(type).replace(/^Multi/, '');
  for (const one of part === type ? [coordinates] : listOf(coordinates)) {
    if (part === 'Point') shapes.addPoint(one);
    if (part === 'LineString') shapes.addLine(one);
    if (part === 'Polygon') shapes.addPolygon(one);
  }
}

/**
 * OGC KML 2.3: `coordinates` hold lon,lat[,alt] parted by blanks; each `gx:coord` of a `gx:Track`, as Google writes it,
 * holds lon lat alt. Links out of the file are not followed.
 */
export function readKml(text: string): Places {
  const shapes = createShapes();
  const parser = new saxes.SaxesParser({ xmlns: false });
  const path: string[] = [];
  let coordinates = '';
  let rings: Position[][] = [];
  let track: Position[] = [];

  function placed(points: Position[]): void {
    if (points.length === 0) return;
    if (path.includes('Polygon')) rings.push(points);
    else if (path.includes('LineString') || path.includes('LinearRing')) shapes.addLine(points);
    else if (path.includes('Point')) shapes.addPoint(points[0]!);
  }

  parser.on('opentag', ({ name }) => {
    path.push(localName(name));
    if (path.at(-1) === 'coordinates' || path.at(-1) === 'coord') coordinates = '';
    if (path.at(-1) === 'Polygon') rings = [];
    if (path.at(-1) === 'Track') track = [];
  });
  parser.on('text', (part) => {
    if (path.at(-1) === 'coordinates' || path.at(-1) === 'coord') coordinates += part;
  });
  parser.on('closetag', () => {
    const name = path.pop();
    if (name === 'coordinates') placed(positionsOf(coordinates));
    // `gx:coord` separates numbers by blanks, other KML elements by commas.
    if (name === 'coord') track.push(...positionsOf(coordinates.trim().replace(/\s+/g, ',')));
    if (name === 'Polygon' && rings.length > 0) shapes.addPolygon(rings);
    if (name === 'Track' && track.length > 0) {
      if (track.length === 1) shapes.addPoint(track[0]);
      else shapes.addLine(track);
    }
  });
  parser.on('error', () => {});
  parser.write(text).close();
  return shapes.places();
}

const localName = (name: string): string => name.split(':').at(-1) ?? name;

const positionsOf = (text: string): Position[] =>
  text
    .trim()
    .split(/\s+/)
    .map((part) => part.split(',').map(Number))
    .flatMap(([lon, lat]): Position[] => (lon !== undefined && lat !== undefined ? [[lon, lat]] : []));
