import {
  type AnnotationFeature,
  type Classification,
  classificationRank,
  classifications,
  type FeatureGeometry,
  type FeatureProperties,
  type ImportRemark,
} from '@osprey/contract';
import { outlineFault, wrapLon } from '@osprey/geo';
import { drawnAs } from './drawn-as.ts';
import { propertiesOf } from './properties.ts';

/** Geometry collections in geometry collections: deeper is no file of people. */
const DEPTH_MAX = 16;
/** Remarks that are listed; more are counted. */
const REMARKS_MAX = 50;
/** Longitudes go on past ±180, but not further round the globe. */
const LON_MAX = 540;

type Json = Readonly<Record<string, unknown>>;
type Coordinates = number[] | Coordinates[];

export type Gathered = {
  features: AnnotationFeature[];
  remarks: ImportRemark[];
  moreRemarks: number;
  /** The highest label that the file states. */
  label: Classification | undefined;
};
export type Gathering = ReturnType<typeof gathering>;

class Unfit extends Error {}

type Shape = { depth: number; least: number; isArea: boolean };

const shapes = new Map<string, Shape>([
  ['Point', { depth: 0, least: 0, isArea: false }],
  ['MultiPoint', { depth: 1, least: 1, isArea: false }],
  ['LineString', { depth: 1, least: 2, isArea: false }],
  ['MultiLineString', { depth: 2, least: 2, isArea: false }],
  ['Polygon', { depth: 2, least: 4, isArea: true }],
  ['MultiPolygon', { depth: 3, least: 4, isArea: true }],
]);

/** Gathers the features of a file as annotations have them. Shapes that cannot be taken are left out, and reported. */
export function gathering() {
  const features: AnnotationFeature[] = [];
  const remarks: ImportRemark[] = [];
  let moreRemarks = 0;
  let count = 0;
  let label: Classification | undefined;

  function remark(feature: number | null, name: string, reason: string): void {
    if (remarks.length < REMARKS_MAX) remarks.push({ feature, name: name.slice(0, 64), reason });
    else moreRemarks += 1;
  }

  return {
    /** Reports a part of the file that is no feature. */
    note: (name: string, reason: string) => remark(null, name, reason),

    /** A label that the file states somewhere; any other word is none. */
    labelled(word: unknown): void {
      const stated = classifications.find((one) => one === word);
      if (stated && (label === undefined || classificationRank(stated) > classificationRank(label))) label = stated;
    },

    /** One feature: a GeoJSON geometry as it came, with the properties as they came. */
    add(geometry: unknown, raw: unknown): void {
      count += 1;
      const number = count;
      const properties = propertiesOf(raw);
      const name = properties.featureTitle ?? '';
      const said = new Set<string>();
      const tell = (reason: string) => {
        if (!said.has(reason)) remark(number, name, reason);
        said.add(reason);
      };
      const why = addGeometry(geometry, properties, { raw, tell, depth: 0 });
      if (why !== null) tell(why);
    },

    found: (): Gathered => ({ features, remarks, moreRemarks, label }),
  };

  type Told = { raw: unknown; tell: (reason: string) => void; depth: number };

  /** @returns why it could not be taken; null if it was, or if its parts were reported */
  function addGeometry(geometry: unknown, properties: FeatureProperties, { raw, tell, depth }: Told): string | null {
    if (depth > DEPTH_MAX) return 'It is nested too deep.';
    if (typeof geometry !== 'object' || geometry === null) return 'It has no geometry.';
    const { type, geometries, coordinates } = geometry as Json;
    if (type === 'GeometryCollection') {
      if (!Array.isArray(geometries)) return 'Its collection of geometries is not valid.';
      for (const one of geometries) {
        const why = addGeometry(one, properties, { raw, tell, depth: depth + 1 });
        if (why !== null) tell(why);
      }
      return null;
    }
    const shape = shapes.get(String(type));
    if (shape === undefined) return `Its geometry type ${String(type).slice(0, 40)} is not known.`;
    try {
      const made = { type, coordinates: readCoordinates(coordinates, shape, tell) } as FeatureGeometry;
      const fault = outlineFault(made);
      if (fault === null) {
        features.push({ type: 'Feature', properties: { ...properties, ...drawnAs(raw, made) }, geometry: made });
      }
      return fault;
    } catch (error) {
      if (error instanceof Unfit) return error.message;
      throw error;
    }
  }
}

function readCoordinates(value: unknown, shape: Shape, tell: (reason: string) => void): Coordinates {
  if (shape.depth === 0) return position(value, tell);
  if (!Array.isArray(value)) throw new Unfit('Its coordinates are not a list of positions.');
  if (shape.depth > 1) {
    if (value.length === 0) throw new Unfit('It has no positions.');
    return value.map((part) => readCoordinates(part, { ...shape, depth: shape.depth - 1 }, tell));
  }
  const places = value.map((one) => position(one, tell));
  if (shape.isArea) return closed(places, tell);
  if (places.length < shape.least) throw new Unfit('It has too few positions.');
  return places;
}

function closed(places: number[][], tell: (reason: string) => void): number[][] {
  const [first, last] = [places[0], places.at(-1)];
  const isClosed = first !== undefined && first[0] === last?.[0] && first[1] === last?.[1];
  if (places.length < (isClosed ? 4 : 3))
    throw new Unfit('A ring of an area needs four positions, the last being the first.');
  if (isClosed) return places;
  tell('Its outline was not closed: it was closed.');
  return [...places, first!];
}

function position(value: unknown, tell: (reason: string) => void): number[] {
  if (!Array.isArray(value) || value.length < 2) throw new Unfit('A position has longitude and latitude.');
  const [lon, lat, height] = value as unknown[];
  if (typeof lon !== 'number' || typeof lat !== 'number') throw new Unfit('A position is not two numbers.');
  if (!Number.isFinite(lon) || !Number.isFinite(lat) || Math.abs(lon) > LON_MAX) {
    throw new Unfit('A coordinate is out of range: it is not in degrees.');
  }
  if (Math.abs(lat) > 90) throw new Unfit(`Latitude ${lat} is out of range.`);
  if (Math.abs(lon) > 180) tell('Longitudes beyond 180 degrees were taken back onto the globe.');
  const folded = Math.abs(lon) > 180 ? Number(wrapLon(lon).toFixed(9)) : lon;
  return typeof height === 'number' && Number.isFinite(height) ? [folded, lat, height] : [folded, lat];
}
