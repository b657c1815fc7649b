import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { BadFile } from '../bad-file.ts';
import { readPrj } from './read-prj.ts';
import systems from './right-values.json' with { type: 'json' };

type Place = readonly number[];

const metresBetween = ([lon = 0, lat = 0]: Place, [toLon = 0, toLat = 0]: Place): number =>
  111_195 * Math.hypot((toLon - lon) * Math.cos((lat * Math.PI) / 180), toLat - lat);

const placeIn = (prj: string, [x = 0, y = 0]: Place) => readPrj(prj).toWgs84(x, y);
const prjOf = (code: number) => systems.find((system) => system.code === code)!.prj;

/**
 * Right values, made with PROJ 9.1.1 and the proj-data of Debian 12: the place in WGS 84, the same in the file, the
 * operation without grids with its stated accuracy, and the grids that PROJ has for others there (not all installed). The
 * .prj files are those of ESRI, as `projinfo -o WKT1_ESRI` writes them.
 */
describe('the reference system of a file', () => {
  it('has a table of 60 systems and more', () => {
    expect(systems.length).toBeGreaterThanOrEqual(60);
    expect(new Set(systems.map(({ code }) => code)).size).toBe(systems.length);
  });

  it.each(systems)('EPSG:$code, $name, is right by its parts', ({ prj, file, place, accuracyM }) => {
    expect(metresBetween(placeIn(prj, file), place)).toBeLessThan(Math.max(5, accuracyM));
  });

  it.each(systems)('EPSG:$code, $name, is right by its code', ({ code, file, place, accuracyM }) => {
    expect(metresBetween(placeIn(`EPSG:${code}`, file), place)).toBeLessThan(Math.max(5, accuracyM));
  });

  it('is known by its code in each form', () => {
    const [x, y] = placeIn('EPSG:31467', [3464281, 5562890]);
    for (const text of [
      'epsg:31467',
      'urn:ogc:def:crs:EPSG::31467',
      'urn:ogc:def:crs:EPSG:6.9:31467',
      'EPSG:6.9:31467',
    ]) {
      expect(placeIn(text, [3464281, 5562890])).toEqual([x, y]);
    }
    expect(placeIn('EPSG:6.9:4326', [8.5, 50.2])).toEqual([8.5, 50.2]);
    const coded = prjOf(31467)
      .replace('"D_Deutsches_Hauptdreiecksnetz"', '"unknown"')
      .replace(/\]$/, ',AUTHORITY["EPSG","31467"]]');
    expect(placeIn(coded, [3464281, 5562890])).toEqual([x, y]);
  });

  const german = prjOf(31467);

  it.each([
    ['another datum', german.replace('D_Deutsches_Hauptdreiecksnetz', 'D_Atlantis_1930')],
    ['the datum of another ellipsoid', german.replace('6377397.155,299.1528128', '6378388.0,297.0')],
    ['another meridian', german.replace('"Greenwich",0.0', '"Atlantis",-31.25')],
    ['another method', german.replace('Gauss_Kruger', 'Atlantis_Conformal')],
    ['a parameter more', german.replace('],UNIT["Meter"', '],PARAMETER["Tilt",1.0],UNIT["Meter"')],
    ['a parameter of another method', german.replace('],UNIT["Meter"', '],PARAMETER["Azimuth",30.0],UNIT["Meter"')],
    ['a parameter less', german.replace('PARAMETER["Scale_Factor",1.0],', '')],
    ['no unit', german.replace(',UNIT["Meter",1.0]', '')],
    [
      'a definition for another program beside it',
      german.replace(/\]$/, ',EXTENSION["PROJ4","+proj=tmerc +nadgrids=a.gsb"]]'),
    ],
    ['no place on the earth', 'GEOCCS["DHDN_3_Degree_Gauss_Zone_3",DATUM["x",SPHEROID["y",1,2]]]'],
  ])('with %s is refused by its name', (_what, prj) => {
    expect(() => readPrj(prj)).toThrow(
      /its reference system DHDN_3_Degree_Gauss_Zone_3 is not known: save it in WGS 84 \(EPSG:4326\) and add it again/,
    );
  });

  it('that is not written as well-known text is refused', () => {
    for (const text of ['+proj=longlat', 'GEOGCS["a"', 'GEOGCS', ''])
      expect(() => readPrj(text), text).toThrow(BadFile);
    expect(() => readPrj('EPSG:99999')).toThrow('its reference system EPSG:99999 is not known');
  });

  it('says of how many places it has no operation', () => {
    const beijing = readPrj('EPSG:2434');
    beijing.toWgs84(500_000, 3_500_000);
    expect(beijing.uncovered()).toBe(1);
    const etrs = readPrj('EPSG:25832');
    etrs.toWgs84(500_000, 3_500_000);
    expect(etrs.uncovered()).toBe(0);
  });
});

const gdal = spawnSync('ogr2ogr', ['--version']);

describe.skipIf(gdal.error !== undefined)('the reference system of a file, where ogr2ogr is installed', () => {
  it('is the one that GDAL has, within 5 m or the accuracy of the operation', { timeout: 300_000 }, () => {
    const far: string[] = [];
    for (const { code, name, file, place, accuracyM } of systems) {
      const { stdout } = spawnSync('gdaltransform', ['-s_srs', `EPSG:${code}`, '-t_srs', 'EPSG:4326', '-output_xy'], {
        input: `${file.join(' ')}\n`,
        encoding: 'utf8',
      });
      const found = stdout.trim().split(/\s+/).map(Number);
      const off = metresBetween(placeIn(`EPSG:${code}`, file), found);
      if (!(off < Math.max(5, accuracyM)))
        far.push(`${code} ${name}: ${off} m from ${found.join(' ')}, right is ${place.join(' ')}`);
    }
    expect(far).toEqual([]);
  });
});
