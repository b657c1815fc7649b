import { numberOf } from '../numbers.ts';
import { GEOGRAPHIC } from './geographic-data.ts';
import { PROJECTED } from './projected-data.ts';

/**
 * Transformation from a datum to WGS 84: translations in metres, rotations in seconds (position vector), scale in
 * millionths, and a pivot.
 */
export type Operation = {
  code: number;
  accuracyM: number;
  area: { south: number; west: number; north: number; east: number };
  parameters: readonly number[];
};

export type Geographic = {
  code: number;
  datum: number;
  /** Names reduced to letters and digits, in lower case. */
  names: readonly string[];
  /** Semi-major axis in metres, inverse flattening. */
  a: number;
  rf: number;
  /** Prime meridian, in degrees east of Greenwich. */
  meridian: number;
  /** Degrees per unit of its angles. */
  unitDegrees: number;
  operations: readonly Operation[];
};

/** `parameters` are those of the method in their fixed order, in degrees and metres. */
export type Conversion = { method: string; parameters: readonly number[]; unitMetres: number };

const numberIn = (text: string | undefined): number => numberOf(text) ?? Number.NaN;

let geographic: readonly Geographic[] | null = null;
let projected: Map<number, { base: number; conversion: Conversion }> | null = null;

/** All geographic systems that the table knows. */
export const geographicSystems = (): readonly Geographic[] => {
  geographic ??= GEOGRAPHIC.trim().split('\n').map(readGeographic);
  return geographic;
};

/** A projected system by its code; undefined where the table lacks it. */
export const projectedSystem = (code: number) => {
  projected ??= readProjected();
  return projected.get(code);
};

function readGeographic(line: string): Geographic {
  const [code, datum, names = '', a, rf, meridian, unitDegrees, operations = ''] = line.split('|');
  const [id, datumId, major, flattening, east, unit] = [code, datum, a, rf, meridian, unitDegrees].map(numberIn) as Six;
  return {
    code: id,
    datum: datumId,
    names: names.split(' '),
    a: major,
    rf: flattening,
    meridian: east,
    unitDegrees: unit,
    operations: operations.split(' ').map(readOperation),
  };
}

type Six = [number, number, number, number, number, number];

function readOperation(text: string): Operation {
  const [code, accuracy, box = '', parameters = ''] = text.split(':');
  const [south, west, north, east] = box.split(',').map(numberIn) as [number, number, number, number];
  return {
    code: numberIn(code),
    accuracyM: numberIn(accuracy),
    area: { south, west, north, east },
    parameters: parameters.split(',').map(numberIn),
  };
}

function readProjected() {
  const systems = new Map<number, { base: number; conversion: Conversion }>();
  for (const line of PROJECTED.trim().split('\n')) {
    const [head = '', list = ''] = line.split('|');
    const [base, method = '', unit] = head.split(' ');
    for (const one of list.split(' ')) {
      const [code = 0, ...parameters] = one.split(',').map(numberIn);
      systems.set(code, { base: numberIn(base), conversion: { method, parameters, unitMetres: numberIn(unit) } });
    }
  }
  return systems;
}
