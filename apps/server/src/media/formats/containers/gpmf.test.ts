import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gps5Payload, gps9Payload } from '../../../../test/gpmf.ts';
import { readGpmf } from './gpmf.ts';

const require = createRequire(import.meta.url);
const samples = join(dirname(require.resolve('gopro-telemetry')), 'samples');

/** Payloads of a track lie one after the other in these recordings, one a second. */
function payloadsOf(bytes: Buffer): Buffer[] {
  const payloads: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = 8 + Math.ceil((bytes[at + 5]! * bytes.readUInt16BE(at + 6)) / 4) * 4;
    payloads.push(bytes.subarray(at, at + size));
    at += size;
  }
  return payloads;
}

/** The types of gopro-telemetry do not match its module, so it is loaded with a type written here. */
const goproTelemetry = require('gopro-telemetry') as (input: { rawData: Buffer }, options: object) => Promise<unknown>;

type Found = Record<
  string,
  { streams?: Record<string, { samples?: { value: number[]; cts?: number; date?: Date }[] }> }
>;

/** Positions with a fix, as gopro-telemetry reads them: latitude, longitude, height, ground speed. */
async function theirs(rawData: Buffer, stream: 'GPS5' | 'GPS9'): Promise<number[][]> {
  const found = (await goproTelemetry({ rawData }, { stream: [stream], ellipsoid: true, GPSFix: 2 })) as Found;
  return Object.values(found).flatMap(({ streams }) =>
    (streams?.[stream]?.samples ?? [])
      .filter(({ value }) => Array.isArray(value))
      .map(({ value }) => value.slice(0, 4)),
  );
}

const ours = (bytes: Buffer) =>
  payloadsOf(bytes).flatMap((payload, n) =>
    readGpmf(payload, n, 1).rows.map(({ values }) =>
      [values[13], values[14], values[15] ?? values[75], values[56]].map(Number),
    ),
  );

/** Recorded where the receiver had no fix. */
const unfixed = ['hero6.raw', 'hero6+ble.raw', 'karma.raw'];

describe('GPMF', () => {
  it.each([
    ['hero5.raw', 'GPS5'],
    ['hero6.raw', 'GPS5'],
    ['hero6+ble.raw', 'GPS5'],
    ['hero7.raw', 'GPS5'],
    ['Fusion.raw', 'GPS5'],
    ['karma.raw', 'GPS5'],
    ['hero11.raw', 'GPS9'],
  ] as const)('of %s gives the places that gopro-telemetry gives', async (name, stream) => {
    const bytes = readFileSync(join(samples, name));
    const expected = await theirs(bytes, stream);
    const found = ours(bytes);

    expect(found).toHaveLength(expected.length);
    expect(found.length > 0).toBe(!unfixed.includes(name));
    for (const [n, values] of found.entries()) {
      for (const [k, value] of values.entries()) {
        if (!Number.isNaN(value)) expect(value, `${n} ${k}`).toBeCloseTo(expected[n]![k]!, 6);
      }
    }
  });

  it('says where height counts from, and gives none without three dimensions', () => {
    const payload = (fix: number, write = gps5Payload) =>
      readGpmf(
        write({ readings: [{ latitude: 1, longitude: 2, altitude: 30, speed: 4 }], fix, utc: new Date(0) }),
        0,
        1,
      ).rows[0]?.values;

    expect(payload(3)).toEqual({ 13: 1, 14: 2, 75: 30, 56: 4 });
    expect(payload(3, gps9Payload)).toEqual({ 13: 1, 14: 2, 15: 30, 56: 4 });
    expect(payload(2)).toEqual({ 13: 1, 14: 2, 56: 4 });
    expect([payload(0), payload(0, gps9Payload)]).toEqual([undefined, undefined]);
  });

  it('spreads the readings of a payload over its time', () => {
    const readings = Array.from({ length: 18 }, (_, n) => ({ latitude: n, longitude: 0, altitude: 0, speed: 0 }));
    const { rows, utc } = readGpmf(
      gps5Payload({ readings, fix: 3, utc: new Date('2023-11-14T22:13:20.500Z') }),
      4,
      0.9,
    );

    expect(rows.map(({ timeUs }) => timeUs)).toEqual(readings.map((_, n) => 4_000_000 + n * 50_000));
    expect(utc).toEqual({ us: Date.UTC(2023, 10, 14, 22, 13, 20, 500) * 1000, seconds: 4 });
  });
});
