import { type AisMessage, createAisReader } from '@osprey/ais';
import type { AisTarget } from '@osprey/contract';
import { expect, it } from 'vitest';
import { exportName, exportText } from './export.ts';

const TIME = Date.UTC(2026, 10, 28, 15, 45) * 1000;
const ship: AisTarget = {
  ...{ sensorName: 'AIS', platformName: 'OSP-21', sources: 1, mmsi: 248113000, name: '=CMD()', callSign: '9HA1' },
  ...{ imo: 9301234, shipType: 80, vesselType: 'Tanker', draught: 9.5, destination: 'PIRAEUS', eta: null },
  ...{ dimensions: { toBow: 150, toStern: 30, toPort: 14, toStarboard: 16 }, countryCode: 'MT', country: 'Malta' },
  ...{ timestamp: TIME, lat: 37.63, lon: 24.62, cog: 300, hdg: 299, sog: 13.2, turn: null, status: 0 },
  ...{ messageType: 1, fixType: null, suspect: false },
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
  const small = { ...ship, mmsi: 211000001, name: null, messageType: 18 };
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
    { ...at, type: 21, name: 'KEA WEST' },
  ]);
  expect(new Set(times)).toEqual(new Set([TIME]));
  expect(Object.values(reader.counts.faults).every((count) => count === 0)).toBe(true);
});
