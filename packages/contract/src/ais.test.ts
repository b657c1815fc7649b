import { expect, it } from 'vitest';
import { z } from 'zod';
import * as contract from './index.ts';

type Shape = { [key: string]: unknown };
const isObject = (value: unknown): value is Shape => typeof value === 'object' && value !== null;

/** Every object of a JSON schema that has a field of this name, with that field. */
function withField(schema: unknown, name: string): Shape[] {
  if (!isObject(schema)) return [];
  const { properties } = schema;
  const own = isObject(properties) && isObject(properties[name]) ? [properties] : [];
  return [...own, ...Object.values(schema).flatMap((part) => withField(part, name))];
}

const outgoing = Object.entries(contract as Shape).flatMap(([name, value]): [string, z.ZodType][] => {
  if (!isObject(value)) return [];
  const schema = value.answer ?? value.payload;
  return schema instanceof z.ZodType ? [[name, schema]] : [];
});

it('an MMSI that goes out as a number has its nine digits next to it', () => {
  const found = outgoing.flatMap(([name, schema]) =>
    withField(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }), 'mmsi').map((fields) => ({
      name,
      has: isObject(fields.mmsiText) && fields.mmsiText.type === 'string',
    })),
  );
  expect(found.filter(({ has }) => !has)).toEqual([]);
  expect(new Set(found.map(({ name }) => name))).toEqual(
    new Set([
      ...['getAisRange', 'getAisReports', 'getAisTrail', 'getShipList', 'getShipsInFrame'],
      ...['listAisTargets', 'listAisVessels'],
    ]),
  );
});

it.each([
  [0, '000000000'],
  [2_391_234, '002391234'],
  [211_000_001, '211000001'],
  [999_999_999, '999999999'],
])('the MMSI %d is %s as text', (mmsi, mmsiText) => {
  expect(contract.stationOf(mmsi)).toEqual({ mmsi, mmsiText });
});
