// @vitest-environment jsdom
import { parsePlace } from '@osprey/geo';
import { beforeEach, expect, it } from 'vitest';
import { formatBearing, loadMagnetic } from './bearings.ts';
import { chooseUnits, formatCoordinate, formatMeasured, formatPlace, loadMgrs, unitsNow } from './units.ts';

const kea = { lat: 37.575717, lon: 24.26225 };

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('username', crypto.randomUUID());
});

it('writes places so that the same can be typed in again', async () => {
  await loadMgrs();
  const written = (['dms', 'decimal', 'mgrs'] as const).map((coordinates) => {
    chooseUnits({ coordinates });
    return formatPlace(kea);
  });

  expect(written).toEqual([
    `37°34'32.58"N 24°15'44.10"E`,
    '37.575717, 24.262250',
    expect.stringMatching(/^35S KB \d{5} \d{5}$/),
  ]);
  for (const text of written) {
    expect(parsePlace(text)?.lat).toBeCloseTo(kea.lat, 4);
    expect(parsePlace(text)?.lon).toBeCloseTo(kea.lon, 4);
  }
});

it('shows one coordinate as its part of the reference, and in degrees where the other one is not known', async () => {
  await loadMgrs();
  chooseUnits({ coordinates: 'mgrs' });
  expect(formatCoordinate(kea.lat, 'lat')).toBe(`37°34'32.58"N`);
  expect(formatCoordinate(kea.lat, 'lat', kea.lon)).toMatch(/^35S KB N \d{5}$/);
  expect(formatCoordinate(kea.lon, 'lon', kea.lat)).toMatch(/^35S KB E \d{5}$/);
  chooseUnits({ coordinates: 'decimal' });
  expect(formatCoordinate(kea.lon, 'lon')).toBe('24.262250°');
});

it('shows heights and speeds as chosen, and speeds as their source gives them until then', () => {
  expect([formatMeasured(1398, 'm'), formatMeasured(52, 'm/s'), formatMeasured(12.4, 'kn', 1)]).toEqual([
    '1\u202f398 m',
    '52 m/s',
    '12.4 kn',
  ]);
  chooseUnits({ lengths: 'ft', speeds: 'kn' });
  expect([formatMeasured(1398, 'm'), formatMeasured(52, 'm/s')]).toEqual(['4\u202f587 ft', '101 kn']);
  chooseUnits({ speeds: 'kmh' });
  expect([formatMeasured(10, 'm/s'), formatMeasured(10, 'kn', 1)]).toEqual(['36 km/h', '18.5 km/h']);
});

it('keeps the choice of each account apart, and lives with what it cannot read', () => {
  localStorage.setItem('username', 'ana');
  chooseUnits({ lengths: 'ft' });
  localStorage.setItem('username', 'ben');
  expect(unitsNow().lengths).toBe('m');
  localStorage.setItem('username', 'ana');
  expect(unitsNow().lengths).toBe('ft');
  localStorage.setItem('units', '{"eva":{"lengths":"cubits"}}');
  localStorage.setItem('username', 'eva');
  expect(unitsNow()).toEqual({ coordinates: 'dms', lengths: 'm', speeds: 'given', bearings: 'true', crossHair: false });
});

it('fetches the magnetic model once for all bearings that wait for it', () => {
  expect(loadMagnetic()).toBe(loadMagnetic());
});

it('shows bearings from the chosen north, and says which where magnetic was chosen', async () => {
  const [in2026, in2019] = [Date.UTC(2026, 0) * 1000, Date.UTC(2019, 0) * 1000];
  expect([formatBearing(28.4, kea, in2026), formatBearing(359.96, kea, in2026, 1)]).toEqual(['028°', '000.0°']);

  chooseUnits({ bearings: 'magnetic' });
  await loadMagnetic();

  // The needle points 5.2 degrees east of north off Kea.
  expect(formatBearing(28.4, kea, in2026)).toBe('023°M');
  expect(formatBearing(2, kea, in2026)).toBe('357°M');
  expect([formatBearing(28.4, null, in2026), formatBearing(28.4, kea, in2019)]).toEqual(['028°T', '028°T']);
});
