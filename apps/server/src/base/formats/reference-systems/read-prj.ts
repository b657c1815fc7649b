import { BadFile } from '../bad-file.ts';
import { digitsOf, numberOf } from '../numbers.ts';
import { conversionOf, plainName } from './methods.ts';
import { type Unproject, unprojector } from './projections.ts';
import { type Conversion, type Geographic, geographicSystems, projectedSystem } from './table.ts';
import { isCovered, toWgs84 } from './to-wgs84.ts';
import { childOf, childrenOf, epsgCodeOf, parseWkt, textOf, type WktNode } from './wkt.ts';

export type ReferenceSystem = {
  name: string;
  /** Converts coordinates of the file to WGS 84, in degrees. */
  toWgs84: (x: number, y: number) => [lon: number, lat: number];
  /**
   * Returns the number of positions converted so far that lie outside the area of every stated operation; their
   * accuracy is unknown.
   */
  uncovered: () => number;
};

/** Prime meridians of the EPSG Dataset, in degrees east of Greenwich: Greenwich, Lisbon, Paris, Bogota and so on. */
const MERIDIANS = [
  ...[0, -9.131906111, 2.33722917, 2.337208333, -74.080916667, -3.687938889, 12.452333333, 7.439583333],
  ...[106.807719444, -17.666666667, 4.367975, 18.058277778, 23.7163375, 10.722916667],
];
const MERIDIAN_OFF = 1e-5;
/**
 * Tolerances for comparing ellipsoids, since programs round the values. Differences this small move no position by a
 * metre.
 */
const AXIS_TOLERANCE_M = 1;
const FLATTENING_OFF = 2e-3;

const CODE = /^(?:urn:ogc:def:crs:)?EPSG:(?:[\d.]*:)?(\d{4,6})$/i;

/**
 * Reads the reference system in a .prj file. It is identified by its code in the EPSG Dataset, else by datum, prime
 * meridian, method and all parameters.
 *
 * @throws BadFile that names a system which the table lacks
 */
export function readPrj(text: string): ReferenceSystem {
  const code = CODE.exec(text.trim())?.[1];
  if (code !== undefined) return named(`EPSG:${code}`, byCode(digitsOf(code)));
  const root = parseWkt(text.replace(/^\ufeff/, ''));
  const system = root.keyword === 'COMPD_CS' ? (childOf(root, 'PROJCS') ?? childOf(root, 'GEOGCS') ?? root) : root;
  const name = textOf(system) || 'without a name';
  const stated = epsgCodeOf(system);
  const known = stated === null ? null : byCode(stated);
  return named(name.slice(0, 80), known ?? byParts(system));
}

function named(name: string, how: How | null): ReferenceSystem {
  if (how !== null) return { name, ...how };
  throw new BadFile(`its reference system ${name} is not known: save it in WGS 84 (EPSG:4326) and add it again`);
}

type How = Omit<ReferenceSystem, 'name'>;

function byCode(code: number): How | null {
  const geographic = geographicSystems().find((one) => one.code === code);
  if (geographic !== undefined) return placed(geographic, { unitDegrees: geographic.unitDegrees });
  const projected = projectedSystem(code);
  const base = geographicSystems().find((one) => one.code === projected?.base);
  return projected === undefined || base === undefined ? null : placed(base, projected);
}

function byParts(system: WktNode): How | null {
  const geographic = system.keyword === 'GEOGCS' ? system : childOf(system, 'GEOGCS');
  if (geographic === undefined || (system.keyword !== 'GEOGCS' && system.keyword !== 'PROJCS')) return null;
  const datum = datumOf(geographic);
  const unitDegrees = (numberOf(textOf(childOf(geographic, 'UNIT'), 1)) ?? Number.NaN) * (180 / Math.PI);
  const meridian = meridianOf(childOf(geographic, 'PRIMEM'), unitDegrees);
  if (datum === null || meridian === null || !(unitDegrees > 0)) return null;
  const base = { ...datum, meridian };
  // Rounded, so that a degree stated with few digits (180/π is rounded to 57.29577951308) counts as exactly 1 and not
  // as a unit of its own.
  if (system === geographic) return placed(base, { unitDegrees: Math.round(unitDegrees * 1e9) / 1e9 });
  const conversion = statedConversion(system, Math.round(unitDegrees * 1e9) / 1e9);
  return conversion === null ? null : placed(base, { conversion });
}

function placed(base: Geographic, how: { unitDegrees: number } | { conversion: Conversion }): How | null {
  const degrees = 'unitDegrees' in how ? scaledBy(how.unitDegrees) : unprojector(how.conversion, base);
  if (degrees === null) return null;
  let uncovered = 0;
  return {
    toWgs84(x, y) {
      const [lon, lat] = degrees(x, y);
      if (!isCovered(base, [lon + base.meridian, lat])) uncovered += 1;
      return toWgs84(base, [lon + base.meridian, lat]);
    },
    uncovered: () => uncovered,
  };
}

const scaledBy =
  (unitDegrees: number): Unproject =>
  (x, y) => [x * unitDegrees, y * unitDegrees];

/**
 * Finds the datum by its code or its name. The ellipsoid must match in either case, since a name alone is not reliable.
 */
function datumOf(geographic: WktNode): Geographic | null {
  const datum = childOf(geographic, 'DATUM');
  const spheroid = childOf(datum, 'SPHEROID');
  const [a, rf] = [numberOf(textOf(spheroid, 1)), numberOf(textOf(spheroid, 2))];
  if (a === null || rf === null) return null;
  const [code, systemCode] = [epsgCodeOf(datum), epsgCodeOf(geographic)];
  const name = plainName(textOf(datum).replace(/^D_/i, ''));
  const found =
    geographicSystems().find((one) => one.datum === code || one.code === systemCode) ??
    geographicSystems().find((one) => one.names.includes(name) && hasShape(one, a, rf));
  return found !== undefined && hasShape(found, a, rf) ? found : null;
}

const hasShape = (system: Geographic, a: number, rf: number): boolean =>
  Math.abs(system.a - a) < AXIS_TOLERANCE_M && Math.abs(system.rf - rf) < FLATTENING_OFF;

/** Returns the prime meridian. Programs write it either in degrees or in the unit of the system. */
function meridianOf(node: WktNode | undefined, unitDegrees: number): number | null {
  const stated = numberOf(textOf(node, 1));
  if (stated === null) return null;
  const isNear = (meridian: number) =>
    Math.abs(stated - meridian) < MERIDIAN_OFF || Math.abs(stated * unitDegrees - meridian) < MERIDIAN_OFF;
  return MERIDIANS.find(isNear) ?? null;
}

function statedConversion(system: WktNode, unitDegrees: number): Conversion | null {
  const unitMetres = numberOf(textOf(childOf(system, 'UNIT'), 1));
  if (unitMetres === null || !(unitMetres > 0)) return null;
  const parameters = childrenOf(system, 'PARAMETER').map(
    (node) => [textOf(node), numberOf(textOf(node, 1)) ?? Number.NaN] as const,
  );
  const method = textOf(childOf(system, 'PROJECTION'));
  const extension = childrenOf(system, 'EXTENSION').map((node) => textOf(node, 1));
  // Web Mercator treats the ellipsoid as a sphere, which the well-known text of 2001 can only express through this
  // extension.
  const isSphere = extension.some((one) => /\+proj=merc\b.*\+b=6378137\b/.test(one));
  if (isSphere && plainName(method) === 'mercator1sp') {
    const conversion = conversionOf({ method, parameters, unitMetres, unitDegrees });
    const [lat = 0, lon = 0, k = 1, x = 0, y = 0] = conversion?.parameters ?? [];
    return conversion === null || k !== 1 ? null : { ...conversion, method: 'webmerc', parameters: [lat, lon, x, y] };
  }
  if (extension.length > 0) return null;
  const axes = childrenOf(system, 'AXIS').map((node) => textOf(node, 1).toUpperCase());
  const turnsAround = axes.includes('SOUTH') || axes.includes('WEST');
  if (turnsAround && !/south|polar/i.test(method)) return null;
  return conversionOf({ method, parameters, unitMetres, unitDegrees });
}
