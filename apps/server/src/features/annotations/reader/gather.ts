import {
  type AnnotationFeature,
  type Classification,
  classificationRank,
  classifications,
  type FeatureGeometry,
  type FeatureProperties,
  type ImportRemark,
} from '@osprey/contract';
import { outlineFault } from '@osprey/geo';
import { asDrawn } from '../drawn-areas.ts';
import { drawnAs } from './drawn-as.ts';
import { propertiesOf } from './properties.ts';

/** Maximum nesting depth of geometry collections; files made by people do not exceed it. */
const DEPTH_MAX = 16;
/** Maximum number of remarks listed; further ones are only counted. */
const REMARKS_MAX = 50;
/** Longitudes may continue past ±180, but not further than this round the globe. */
const LON_MAX = 540;

type Json = Readonly<Record<string, unknown>>;
type Coordinates = number[] | Coordinates[];

export type Gathered = {
  features: AnnotationFeature[];
  remarks: ImportRemark[];
  moreRemarks: number;
  /** The highest label stated in the file. */
  label: Classification | undefined;
};
export type Gathering = ReturnType<typeof gathering>;

class Unfit extends Error {}

type Reading = { report: (reason: string) => void; lost: Lost };
type Shape = { depth: number; least: number; isArea: boolean };

const shapes = new Map<string, Shape>([
  ['Point', { depth: 0, least: 0, isArea: false }],
  ['MultiPoint', { depth: 1, least: 1, isArea: false }],
  ['LineString', { depth: 1, least: 2, isArea: false }],
  ['MultiLineString', { depth: 2, least: 2, isArea: false }],
  ['Polygon', { depth: 2, least: 4, isArea: true }],
  ['MultiPolygon', { depth: 3, least: 4, isArea: true }],
]);

/** Collects the features of a file in the form of annotations. Shapes that cannot be used are left out and reported. */
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

  function begun(raw: unknown) {
    count += 1;
    const number = count;
    const properties = propertiesOf(raw);
    const reported = new Set<string>();
    const report = (reason: string) => {
      if (!reported.has(reason)) remark(number, properties.featureTitle ?? '', reason);
      reported.add(reason);
    };
    return { properties, report };
  }

  return {
    /** Reports a part of the file that is no feature. */
    note: (name: string, reason: string) => remark(null, name, reason),

    /** Records a label that the file states somewhere. Any other word is ignored. */
    labelled(word: unknown): void {
      const stated = classifications.find((one) => one === word);
      if (stated && (label === undefined || classificationRank(stated) > classificationRank(label))) label = stated;
    },

    /** Adds one feature, given as an unchecked GeoJSON geometry and unchecked properties. */
    add(geometry: unknown, raw: unknown): void {
      const { properties, report } = begun(raw);
      const why = addGeometry(geometry, properties, { raw, report, depth: 0 });
      if (why !== null) report(why);
    },

    /** Adds one feature of several shapes. Shapes of the same kind are combined into one geometry. */
    addTogether(parts: readonly Part[], raw: unknown): void {
      const { properties, report } = begun(raw);
      for (const type of ['Point', 'LineString', 'Polygon'] as const) {
        const own = parts.filter((part) => part.type === type);
        if (own.length === 0) continue;
        for (const geometry of joined(own, report)) {
          features.push({ type: 'Feature', properties: { ...properties, ...drawnAs(raw, geometry) }, geometry });
        }
      }
    },

    found: (): Gathered => ({ features, remarks, moreRemarks, label }),
  };

  type FeatureContext = { raw: unknown; report: (reason: string) => void; depth: number };

  /**
   * Adds a geometry.
   *
   * @returns the reason why it could not be used; null if it was, or if its parts were reported
   */
  function addGeometry(
    geometry: unknown,
    properties: FeatureProperties,
    { raw, report, depth }: FeatureContext,
  ): string | null {
    if (depth > DEPTH_MAX) return 'It is nested too deep.';
    if (typeof geometry !== 'object' || geometry === null) return 'It has no geometry.';
    const { type, geometries, coordinates } = geometry as Json;
    if (type === 'GeometryCollection') {
      if (!Array.isArray(geometries)) return 'Its collection of geometries is not valid.';
      for (const one of geometries) {
        const why = addGeometry(one, properties, { raw, report, depth: depth + 1 });
        if (why !== null) report(why);
      }
      return null;
    }
    const made = geometryOf(String(type), coordinates, report);
    if (typeof made === 'string') return made;
    features.push({ type: 'Feature', properties: { ...properties, ...drawnAs(raw, made) }, geometry: made });
    return null;
  }
}

type Report = (reason: string) => void;
type Part = { type: 'Point' | 'LineString' | 'Polygon'; coordinates: unknown };

/** Returns a geometry in the form of annotations, or the reason why it is invalid. */
function geometryOf(type: string, coordinates: unknown, report: Report): FeatureGeometry | string {
  const shape = shapes.get(type);
  if (shape === undefined) return `Its geometry type ${type.slice(0, 40)} is not known.`;
  const lost: Lost = { places: 0, all: 0, parts: 0, reason: '' };
  try {
    const read = { type, coordinates: readCoordinates(coordinates, shape, { report, lost }) } as FeatureGeometry;
    if (isRoundTheEarth(read)) return 'Its outline goes around the earth more than once.';
    const made = asDrawn(read);
    if (lost.places > 0) report(lostText(lost));
    if (lost.parts > 0) report(partsText(lost));
    return outlineFault(made) ?? made;
  } catch (error) {
    if (error instanceof Unfit) return error.message;
    throw error;
  }
}

/**
 * Combines shapes of one kind into one geometry; shapes that cannot be used are reported. If the combination is
 * invalid, each shape remains separate.
 */
function joined(parts: readonly Part[], report: Report): FeatureGeometry[] {
  const made = parts.flatMap(({ type, coordinates }): FeatureGeometry[] => {
    const one = geometryOf(type, coordinates, report);
    if (typeof one === 'string') report(one);
    return typeof one === 'string' ? [] : [one];
  });
  if (made.length < 2) return made;
  const coordinates = made.map((one) => one.coordinates);
  const whole = { type: `Multi${made[0]!.type}`, coordinates } as FeatureGeometry;
  return outlineFault(whole) === null ? [whole] : made;
}

/**
 * Invalid positions of a feature, with the reason of the first one, and the number of parts that became too short
 * because of them.
 */
type Lost = { places: number; all: number; parts: number; reason: string };

function readCoordinates(value: unknown, shape: Shape, { report, lost }: Reading): Coordinates {
  if (shape.depth === 0) {
    const place = position(value, report);
    if (typeof place === 'string') throw new Unfit(place);
    return place;
  }
  if (!Array.isArray(value)) throw new Unfit('Its coordinates are not a list of positions.');
  if (value.length === 0 && shape.depth > 1) throw new Unfit('It has no positions.');
  if (shape.depth > 1) return readParts(value, shape, { report, lost });
  const before = lost.places;
  const places = value.flatMap((one): number[][] => {
    const place = position(one, report);
    if (typeof place !== 'string') return [place];
    if (lost.places === 0) lost.reason = place;
    lost.places += 1;
    return [];
  });
  lost.all += value.length;
  // If positions were invalid, their fault is the reason why too few remain.
  const unfit = (reason: string) => new Unfit(lost.places > before ? lost.reason : reason);
  if (shape.isArea) return closed(places, { report, unfit });
  if (places.length < shape.least) throw unfit('It has too few positions.');
  return places;
}

/**
 * Reads a list of parts. A line or area that is invalid is left out by itself; an invalid ring makes its whole area
 * invalid.
 */
function readParts(value: unknown[], shape: Shape, { report, lost }: Reading): Coordinates[] {
  const within = { ...shape, depth: shape.depth - 1 };
  const isRing = shape.isArea && shape.depth === 2;
  let first: Unfit | null = null;
  const parts = value.flatMap((part): Coordinates[] => {
    try {
      return [readCoordinates(part, within, { report, lost })];
    } catch (error) {
      if (!(error instanceof Unfit) || isRing) throw error;
      first ??= error;
      lost.parts += 1;
      return [];
    }
  });
  if (first !== null && parts.length === 0) throw first as Unfit;
  return parts;
}

const lostText = ({ places, all, reason }: Lost): string =>
  `${places === 1 ? 'One' : String(places)} of its ${all} positions ${places === 1 ? 'is' : 'are'} left out. ${reason}`;
const partsText = ({ parts }: Lost): string =>
  parts === 1
    ? 'One of its parts has too few positions and is left out.'
    : `${parts} of its parts have too few positions and are left out.`;

/** Whether an area with longitudes that go on past ±180 is wider than the earth. */
function isRoundTheEarth({ type, coordinates }: FeatureGeometry): boolean {
  const areas = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : [];
  return areas.some(([outline = []]) => {
    let [west, east] = [Infinity, -Infinity];
    for (const [lon = 0] of outline) [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    return east - west > 360;
  });
}

type Closing = { report: (reason: string) => void; unfit: (reason: string) => Unfit };

function closed(places: number[][], { report, unfit }: Closing): number[][] {
  const [first, last] = [places[0], places.at(-1)];
  const isClosed = first !== undefined && first[0] === last?.[0] && first[1] === last?.[1];
  if (places.length < (isClosed ? 4 : 3))
    throw unfit('A ring of an area needs four positions, the last being the first.');
  if (isClosed) return places;
  report('Its outline was not closed: it was closed.');
  return [...places, first!];
}

/** Returns a position, or the reason, as a sentence, why it is invalid. */
function position(value: unknown, report: (reason: string) => void): number[] | string {
  if (!Array.isArray(value) || value.length < 2) return 'A position has longitude and latitude.';
  const [lon, lat, height] = value as unknown[];
  if (typeof lon !== 'number' || typeof lat !== 'number') return 'A position is not two numbers.';
  if (!Number.isFinite(lon) || !Number.isFinite(lat) || Math.abs(lon) > LON_MAX) {
    return 'A coordinate is out of range: it is not in degrees.';
  }
  if (Math.abs(lat) > 90) return `Latitude ${lat} is out of range.`;
  if (Math.abs(lon) > 180) report('Longitudes beyond 180 degrees were taken back onto the globe.');
  return typeof height === 'number' && Number.isFinite(height) ? [lon, lat, height] : [lon, lat];
}
