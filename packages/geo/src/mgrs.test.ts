import { describe, expect, it } from 'vitest';
import { distanceM } from './great-circle.ts';
import { formatMgrs, parseMgrs } from './mgrs.ts';
import { parsePlace } from './parse-place.ts';

describe('MGRS', () => {
  it.each([
    // The points of NGA.STND.0037 and the poles.
    ['ZAH0000000000', 90, 0],
    ['BAN0000000000', -90, 0],
    ['31NAA6602100000', 0, 0],
    ['18SUJ2348306479', 38.8895, -77.0352],
  ])('writes %s where it is, and reads it again within a metre', (text, lat, lon) => {
    const read = parseMgrs(text)!;
    expect(distanceM(read, { lat, lon })).toBeLessThan(600);
    expect(formatMgrs(read)).toBe(text);
  });

  it.each([
    ['Bergen, in the zone that is wider there', { lat: 60.39, lon: 5.32 }, '32V'],
    ['the sea west of Norway', { lat: 60, lon: 2.9 }, '31V'],
    ['Svalbard by zones 31, 33, 35 and 37', { lat: 78, lon: 8.9 }, '31X'],
    ['Svalbard', { lat: 78, lon: 9 }, '33X'],
    ['Svalbard', { lat: 78, lon: 21 }, '35X'],
    ['Svalbard', { lat: 78, lon: 33 }, '37X'],
    ['the antimeridian', { lat: 10, lon: 180 }, '01P'],
    ['the last latitude of UTM', { lat: 83.999, lon: 100 }, '47X'],
  ])('takes the zone of %s', (_what, point, zone) => {
    expect(formatMgrs(point).slice(0, 3)).toBe(zone);
  });

  it('comes back to the same metre all over the earth', () => {
    for (let lat = -89.0; lat <= 90; lat += 1.71) {
      for (let lon = -179.47; lon < 180; lon += 7.3) {
        const text = formatMgrs({ lat, lon });
        const back = parseMgrs(text);
        expect(back, text).not.toBeNull();
        expect(distanceM(back!, { lat, lon }), text).toBeLessThan(1);
        expect(formatMgrs(back!)).toBe(text);
      }
    }
  });

  it('reads fewer digits and blanks as the middle of the square, and refuses what is none', () => {
    expect(parseMgrs('18S UJ 23 06')).toEqual(parseMgrs('18SUJ2306'));
    expect(distanceM(parseMgrs('18SUJ2306')!, parseMgrs('18SUJ2350006500')!)).toBeLessThan(2);
    for (const text of ['', '61SUJ', '18IUJ', '18SUJ123', 'QAH', '18SAZ', '00CAA', '18SUJ12345678901']) {
      expect(parseMgrs(text), text).toBeNull();
    }
  });
});

describe('parsePlace', () => {
  it.each([
    ['37.575 24.262', 37.575, 24.262],
    ['37.575, -24.262', 37.575, -24.262],
    ['-37.575;24.262', -37.575, 24.262],
    ['37.575N 24.262E', 37.575, 24.262],
    ['24.262E 37.575S', -37.575, 24.262],
    [`37°34'32.58"N 24°15'44.10"E`, 37.575716666, 24.26225],
    ['37 34 32.58 N, 24 15 44.1 W', 37.575716666, -24.26225],
    ['N37 34.543 E024 15.735', 37.575716666, 24.26225],
    ['37 34 32 24 15 44', 37.575555555, 24.262222222],
    [`37°34'32.58''N 24°15'44.10''E`, 37.575716666, 24.26225],
    ['(37.575, 24.262)', 37.575, 24.262],
    ['[37.575, -24.262]', 37.575, -24.262],
    ['37-34-32.58N 024-15-44.10W', 37.575716666, -24.26225],
    ['37:34:32.58 N 24:15:44.10 E', 37.575716666, 24.26225],
    ['373432.58N 0241544.10E', 37.575716666, 24.26225],
    ['373432S0241544W', -37.575555555, -24.262222222],
    ['3734.543N 02415.735E', 37.575716666, 24.26225],
    ['3734N 02415E', 37.566666666, 24.25],
  ])('reads %s', (text, lat, lon) => {
    const place = parsePlace(text)!;
    expect(place.lat).toBeCloseTo(lat, 6);
    expect(place.lon).toBeCloseTo(lon, 6);
  });

  it('reads MGRS too', () => {
    expect(parsePlace('18SUJ2348306479')).toEqual(parseMgrs('18SUJ2348306479'));
  });

  it.each([
    // Bergen is in zone 32, which is wider there; Longyearbyen in zone 33, since Svalbard has no zone 32, 34 or 36.
    ['32V 297508 6700645', 60.39, 5.32],
    ['32 V 297508mE 6700645mN', 60.39, 5.32],
    ['33X 514000 8683000', 78.2, 15.6],
    ['18S 323483 4306479', 38.89, -77.04],
    ['33N 391543 5820000', 52.52, 13.4],
    ['56H 334873 6252266', -33.86, 151.21],
  ])('reads UTM: %s', (text, lat, lon) => {
    const place = parsePlace(text)!;
    expect(place.lat).toBeCloseTo(lat, 1);
    expect(place.lon).toBeCloseTo(lon, 1);
  });

  it('agrees with MGRS on the metre, and refuses zones that do not hold the place', () => {
    expect(distanceM(parsePlace('32V 297508 6700645')!, parseMgrs('32VKN9750800645')!)).toBeLessThan(2);
    for (const text of [
      '32X 500000 8700000',
      '61V 297508 6700645',
      '32I 297508 6700645',
      '32V 297508 100',
      '32V 900000 6700645',
    ]) {
      expect(parsePlace(text), text).toBeNull();
    }
  });

  it.each([
    '',
    '91 0',
    '0 181',
    '37.5',
    '37 61 0 N 24 0 0 E',
    'N37 N24',
    'abc',
    '1 2 3',
    '-37N 24E',
    '376132N 0241544E',
    '33N 391543E',
    '2026-11-29 10:20',
    '1'.repeat(200),
  ])('refuses %s', (text) => expect(parsePlace(text)).toBeNull());
});
