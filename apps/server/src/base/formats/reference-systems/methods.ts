import { numberOf } from '../numbers.ts';
import type { Conversion } from './table.ts';

/**
 * Parameter names used in files, with the parameter each stands for and its kind: an angle in degrees, a length in
 * metres, or a bare number.
 */
const PARAMETERS: Readonly<Record<string, readonly [name: string, kind: 'angle' | 'length' | 'number']>> = {
  ...{ latitudeoforigin: ['lat', 'angle'], latitudeofcenter: ['lat', 'angle'], latitudeofcentre: ['lat', 'angle'] },
  ...{ centralmeridian: ['lon', 'angle'], longitudeoforigin: ['lon', 'angle'] },
  ...{ longitudeofcenter: ['lon', 'angle'], longitudeofcentre: ['lon', 'angle'] },
  ...{ standardparallel1: ['first', 'angle'], standardparallel2: ['second', 'angle'] },
  ...{ scalefactor: ['k', 'number'], falseeasting: ['x', 'length'], falsenorthing: ['y', 'length'] },
  ...{ azimuth: ['azimuth', 'angle'], rectifiedgridangle: ['gamma', 'angle'], xyplanerotation: ['gamma', 'angle'] },
  ...{ pseudostandardparallel1: ['pseudo', 'angle'], xscale: ['xScale', 'number'], yscale: ['yScale', 'number'] },
  ...{ auxiliaryspheretype: ['sphere', 'number'] },
};

type Values = ReadonlyMap<string, number>;
/** A projection method, and the names of its parameters in its order. */
type Method = { method: string; needs: readonly string[] };

const AT = ['lat', 'lon', 'k', 'x', 'y'];
const CONIC = ['lat', 'lon', 'first', 'second', 'x', 'y'];
const PLAIN = ['lat', 'lon', 'x', 'y'];
const OBLIQUE = ['lat', 'lon', 'azimuth', 'gamma', 'k', 'x', 'y'];

/**
 * Projection methods by their names in well-known text of OGC and ESRI. If a name stands for several methods, the
 * parameter values decide.
 */
const METHODS: Readonly<Record<string, (values: Values) => Method>> = {
  transversemercator: () => ({ method: 'tmerc', needs: AT }),
  gausskruger: () => ({ method: 'tmerc', needs: AT }),
  transversemercatorsouthorientated: () => ({ method: 'tmercSouth', needs: AT }),
  lambertconformalconic: conic,
  lambertconformalconic1sp: () => ({ method: 'lcc1', needs: AT }),
  lambertconformalconic2sp: () => ({ method: 'lcc2', needs: CONIC }),
  albers: () => ({ method: 'aea', needs: CONIC }),
  albersconicequalarea: () => ({ method: 'aea', needs: CONIC }),
  cassini: () => ({ method: 'cass', needs: PLAIN }),
  cassinisoldner: () => ({ method: 'cass', needs: PLAIN }),
  polarstereographic: (values) =>
    Math.abs(values.get('lat') ?? 0) === 90
      ? { method: 'stereA', needs: AT }
      : { method: 'stereB', needs: ['lat', 'lon', 'x', 'y'] },
  stereographic: () => ({ method: 'stereA', needs: AT }),
  stereographicnorthpole: () => ({ method: 'stereB', needs: ['first', 'lon', 'x', 'y'] }),
  stereographicsouthpole: () => ({ method: 'stereB', needs: ['first', 'lon', 'x', 'y'] }),
  doublestereographic: () => ({ method: 'sterea', needs: AT }),
  obliquestereographic: () => ({ method: 'sterea', needs: AT }),
  hotineobliquemercator: () => ({ method: 'omercA', needs: OBLIQUE }),
  hotineobliquemercatorazimuthnaturalorigin: () => ({ method: 'omercA', needs: OBLIQUE }),
  rectifiedskeworthomorphicnaturalorigin: () => ({ method: 'omercA', needs: OBLIQUE }),
  hotineobliquemercatorazimuthcenter: () => ({ method: 'omercB', needs: OBLIQUE }),
  rectifiedskeworthomorphiccenter: () => ({ method: 'omercB', needs: OBLIQUE }),
  lambertazimuthalequalarea: () => ({ method: 'laea', needs: PLAIN }),
  mercator: () => ({ method: 'mercB', needs: ['first', 'lon', 'x', 'y'] }),
  mercator1sp: (values) => ({ method: 'mercA', needs: [values.has('lat') ? 'lat' : 'equator', 'lon', 'k', 'x', 'y'] }),
  mercator2sp: () => ({ method: 'mercB', needs: ['first', 'lon', 'x', 'y'] }),
  mercatorauxiliarysphere: () => ({ method: 'webmerc', needs: ['first', 'lon', 'x', 'y'] }),
  behrmann: () => ({ method: 'cea', needs: ['first', 'lon', 'x', 'y'] }),
  cylindricalequalarea: () => ({ method: 'cea', needs: ['first', 'lon', 'x', 'y'] }),
  polyconic: () => ({ method: 'poly', needs: PLAIN }),
  krovak: () => ({ method: 'krovak', needs: ['lat', 'lon', 'azimuth', 'pseudo', 'k', 'x', 'y'] }),
  newzealandmapgrid: () => ({ method: 'nzmg', needs: PLAIN }),
};

/** ESRI has one name for the conic with one parallel and with two. */
function conic(values: Values): Method {
  if (values.has('second')) return { method: 'lcc2', needs: CONIC };
  return values.get('first') === values.get('lat')
    ? { method: 'lcc1', needs: ['lat', 'lon', 'k', 'x', 'y'] }
    : { method: 'lcc1b', needs: ['first', 'lat', 'lon', 'k', 'x', 'y'] };
}

/** Surplus parameters that have no effect if they have one of these values. */
const WITHOUT_EFFECT: Readonly<Record<string, readonly number[]>> = { k: [1], sphere: [0], lat: [0], second: [0] };

/** Reduces a name to its letters and digits, in lower case. */
export const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    // Keep the plus sign, since CH1903+ and CH1903 are different systems.
    .replaceAll('+', 'plus')
    .replace(/[^a-z0-9]/g, '');

export type StatedConversion = {
  /** Name of the method as written in the file. */
  method: string;
  parameters: readonly (readonly [name: string, value: number])[];
  unitMetres: number;
  unitDegrees: number;
};

/** Returns the method with all its parameters; null if a parameter is missing, or a stated one is unknown. */
export function conversionOf({
  method: name,
  parameters,
  unitMetres,
  unitDegrees,
}: StatedConversion): Conversion | null {
  const values = new Map<string, number>();
  for (const [stated, value] of parameters) {
    const known = PARAMETERS[plainName(stated)];
    if (known === undefined || !Number.isFinite(value)) return null;
    const factor = { angle: unitDegrees, length: unitMetres, number: 1 }[known[1]];
    values.set(known[0], rounded(value * factor));
  }
  const { method, needs } = METHODS[plainName(name)]?.(values) ?? { method: '', needs: [] };
  if (method === '' || !hasUsualAxes(method, values)) return null;
  // A missing rotation defaults to the azimuth, and missing false origins default to zero.
  const defaults: Record<string, number | undefined> = { x: 0, y: 0, equator: 0, gamma: values.get('azimuth') };
  const found = needs.map((need) => values.get(need) ?? defaults[need]);
  const isUsed = (one: string) => needs.includes(one) || (method === 'lcc1' && one === 'first') || isAxis(method, one);
  const others = [...values].filter(([one]) => !isUsed(one));
  if (others.some(([one, value]) => !WITHOUT_EFFECT[one]?.includes(value))) return null;
  return found.every((value) => value !== undefined) ? { method, parameters: found, unitMetres } : null;
}

/** Rounds away the error of unit conversion, so that grads and feet yield the intended numbers. */
const rounded = (value: number): number => numberOf(value.toPrecision(13)) ?? Number.NaN;

/** Usual values of the axis parameters that ESRI adds to Krovak. They turn the axes to point east and north. */
const KROVAK_AXES = { xScale: -1, yScale: 1, gamma: 90 } as const;
const isAxis = (method: string, name: string): boolean => method === 'krovak' && name in KROVAK_AXES;

const hasUsualAxes = (method: string, values: Values): boolean =>
  method !== 'krovak' || Object.entries(KROVAK_AXES).every(([name, usual]) => (values.get(name) ?? usual) === usual);
