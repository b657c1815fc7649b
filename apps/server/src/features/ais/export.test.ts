import { type AisMessage, createAisReader } from '@osprey/ais';
import type { AisTarget } from '@osprey/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aisBatches } from './batch.ts';
import { exportName, exportText } from './export.ts';

const TIME = Date.UTC(2026, 10, 28, 15, 45) * 1000;
const ship: AisTarget = {
  ...{ sensorName: 'AIS', platformName: 'OSP-21', sources: 1, mmsi: 248113000, name: '=CMD()', callSign: '9HA1' },
  ...{ mmsiText: '248113000', securityClassification: 'UNCLASSIFIED' },
  ...{ imo: 9301234, shipType: 80, vesselType: 'Tanker', draught: 9.5, destination: 'PIRAEUS', eta: null },
  ...{ dimensions: { toBow: 150, toStern: 30, toPort: 14, toStarboard: 16 }, countryCode: 'MT', country: 'Malta' },
  ...{ timestamp: TIME, lat: 37.63, lon: 24.62, cog: 300, hdg: 299, sog: 13.2, turn: null, status: 0 },
  ...{ messageType: 1, fixType: null, suspect: false, suspectFor: [] },
};
const textOf = (format: Parameters<typeof exportText>[0], rows: AisTarget[]) =>
  [...exportText(format, rows, 'SECRET')].join('');

it('A file is named ais_YYYYMMDD-HHmmss, and after its label where that is above UNCLASSIFIED', () => {
  expect(exportName('csv', 'UNCLASSIFIED', TIME)).toBe('ais_20261128-154500.csv');
  expect(exportName('geojson', 'TOP SECRET', TIME)).toBe('ais_20261128-154500_TOP-SECRET.geojson');
});

it('T-089 names in a file are text: no formula, no markup', () => {
  expect(textOf('csv', [ship])).toContain(
    ",'=CMD(),Tanker,MT,Malta,2026-11-28T15:45:00.000Z,37.630000,24.620000,300,299,13.2,",
  );
  const kml = textOf('kml', [{ ...ship, name: '<img onerror=x>' }]);
  expect(kml).toContain('<name>&lt;img onerror=x&gt;</name>');
  expect(kml).toContain('<description>SECRET</description>');
  const json = JSON.parse(textOf('geojson', [ship, ship])) as { features: { geometry: object }[] };
  expect(json.features.map(({ geometry }) => geometry)).toEqual(
    Array(2).fill({ type: 'Point', coordinates: [24.62, 37.63] }),
  );
});

it('An MMSI has nine digits in each text, and coordinates below 0 are numbers', () => {
  const base = { ...ship, mmsi: 2391234, mmsiText: '002391234', name: null, lat: -77.3, lon: -0.000_001, cog: null };
  const [, line = ''] = textOf('csv', [base]).split('\r\n');
  const cells = line.split(',');
  expect([cells[2], ...cells.slice(10, 13)]).toEqual(['002391234', '-77.300000', '-0.000001', '']);
  expect(textOf('kml', [base])).toContain('<name>002391234</name>');
  expect(textOf('kml', [base])).toContain('<Data name="mmsi"><value>002391234</value>');
  const [feature] = (JSON.parse(textOf('geojson', [base])) as { features: { properties: object }[] }).features;
  expect(feature?.properties).toMatchObject({ mmsi: 2391234, mmsiText: '002391234' });
});

/** Rows of messages as they are stored; what a message does not hold is null. */
const nothing = { cog: null, hdg: null, sog: null, turn: null, status: null, fixType: null };
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const tenths = (limit: number) => optional(fc.integer({ min: 0, max: limit }).map((value) => value / 10));
const whole = (limit: number) => optional(fc.nat(limit));
/** As readers give it, in hundredths, and rows keep it, in whole degrees a minute. */
const turnOf = (field: number): number =>
  Math.round((Math.sign(field) * Math.round((field / 4.733) ** 2 * 100)) / 100) + 0;
const turns = optional(fc.integer({ min: -126, max: 126 }).map(turnOf));
const moving = { sog: tenths(1022), cog: tenths(3599), hdg: whole(359) };
const byType: [number[], Record<string, fc.Arbitrary<unknown>>][] = [
  [[1, 2, 3], { ...moving, turn: turns, status: whole(14) }],
  [[4, 11, 21], { fixType: fc.nat(8) }],
  [[9], { sog: whole(1022), cog: tenths(3599) }],
  [[18], moving],
  [[19], { ...moving, fixType: fc.nat(8) }],
  [[27], { sog: whole(62), cog: whole(359), status: whole(14) }],
];
const sizes = fc.record({
  toBow: fc.integer({ min: 1, max: 511 }),
  toStern: fc.nat(511),
  toPort: fc.integer({ min: 1, max: 63 }),
  toStarboard: fc.nat(63),
});
const name = fc.stringMatching(/^[A-Z0-9]{1,20}$/);
const anyRow = fc.constantFrom(...byType).chain(([types, fields]) =>
  fc
    .record({
      messageType: fc.constantFrom(...types),
      mmsi: fc.integer({ min: 1, max: 979_999_999 }),
      seconds: fc.nat(60_000_000),
      parts: fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -180, max: 180 })),
      fine: fc.nat(9),
      said: fc.record({
        name: optional(name),
        dimensions: optional(sizes),
        shipType: optional(fc.integer({ min: 1, max: 99 })),
      }),
      ...fields,
    })
    .map(({ messageType, mmsi, seconds, parts, fine, said, ...values }): AisTarget => {
      const isCoarse = messageType === 27;
      const part = fine / (isCoarse ? 600 : 600_000);
      const [lat, lon] = parts.map((degrees) => (Math.abs(degrees) < 90 ? degrees + part : degrees));
      return {
        ...{ ...ship, ...nothing, messageType, mmsi, mmsiText: String(mmsi).padStart(9, '0'), ...said, ...values },
        ...{ timestamp: TIME + seconds * 1e6, lat: lat!, lon: lon!, callSign: null, imo: null, draught: null },
        destination: null,
      };
    }),
);

it('T-094 each row that is exported is read again as the same: station, message, time, place, motion, name and size', () => {
  fc.assert(
    fc.property(anyRow, (row) => {
      const batches = aisBatches(new Map());
      for (const line of textOf('nmea', [row]).split('\r\n')) if (line !== '') batches.line(Buffer.from(line), null);
      const { positions, vessels } = batches.take();
      const [position] = positions;
      const degrees = row.messageType === 27 ? 1 / 1200 : 1e-9;
      expect(positions).toHaveLength(1);
      expect({ ...position, flags: 0, lat: 0, lon: 0 }).toEqual({
        ...{ mmsi: row.mmsi, time: row.timestamp, lat: 0, lon: 0, messageType: row.messageType, flags: 0 },
        sog: row.sog === null ? null : Math.round(row.sog * 10),
        cog: row.cog === null ? null : Math.round(row.cog * 10),
        ...{ heading: row.hdg, turn: row.turn, status: row.status, fixType: row.fixType },
      });
      expect(Math.abs(position!.lat / 600_000 - row.lat)).toBeLessThanOrEqual(degrees);
      expect(Math.abs(position!.lon / 600_000 - row.lon)).toBeLessThanOrEqual(degrees);
      // Base stations have neither name nor size, and aids to navigation no type of ship.
      if (row.messageType === 4 || row.messageType === 11) return;
      const existing = vessels.get(row.mmsi);
      expect(existing?.name ?? null).toBe(row.name);
      if (row.messageType !== 21) expect(existing?.shipType ?? null).toBe(row.shipType);
      const { toBow = null, toStern = null, toPort = null, toStarboard = null } = existing ?? {};
      const requested = row.dimensions ?? { toBow: null, toStern: null, toPort: null, toStarboard: null };
      expect({ toBow, toStern, toPort, toStarboard }).toEqual(requested);
    }),
    { numRuns: 500 },
  );
});

it('Sentences that are exported say the same when they are read again', () => {
  const read: AisMessage[] = [];
  const times: (number | null)[] = [];
  const reader = createAisReader({
    onMessage: (message, origin) => {
      read.push(message);
      times.push(origin.timeUs);
    },
  });
  const base = { ...ship, mmsi: 2391234, name: null, messageType: 4, fixType: 7 };
  const none = { callSign: null, imo: null, draught: null, destination: null, dimensions: null, shipType: null };
  const small = { ...ship, ...none, mmsi: 211000001, name: 'JOLLE', callSign: 'DA1234', messageType: 18 };
  const buoy = { ...ship, mmsi: 992111234, name: 'KEA WEST', messageType: 21 };
  reader.push(Buffer.from(textOf('nmea', [ship, ship, base, small, buoy])));
  reader.end();
  const at = { latitude: expect.closeTo(37.63, 4), longitude: expect.closeTo(24.62, 4) };
  expect(read).toMatchObject([
    { ...at, type: 1, mmsi: ship.mmsi, sog: 13.2, cog: 300, heading: 299 },
    { type: 5, mmsi: ship.mmsi, imo: 9301234, callSign: '9HA1', shipType: 80, draught: 9.5, destination: 'PIRAEUS' },
    { ...at, type: 1 },
    { ...at, type: 4, fixType: 7, timeUs: TIME },
    { ...at, type: 18, heading: 299 },
    { type: 24, part: 'A', mmsi: 211000001, name: 'JOLLE' },
    { type: 24, part: 'B', mmsi: 211000001, callSign: 'DA1234', dimensions: null },
    { ...at, type: 21, name: 'KEA WEST' },
  ]);
  expect(new Set(times)).toEqual(new Set([TIME]));
  expect(Object.values(reader.counts.faults).every((count) => count === 0)).toBe(true);
});
