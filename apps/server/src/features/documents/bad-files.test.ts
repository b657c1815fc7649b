import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type DocumentGeometry, type DocumentRow, documentGeometry } from '@osprey/contract';
import { outlineFault } from '@osprey/geo';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { documentsOf } from '../../../test/documents.ts';
import { expectHarmless } from '../../../test/harmless.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { readGeoJson } from './reader/geo.ts';

const server = await recordingServer({ jobs: ['document'] });
const { post, read, list } = documentsOf(server);
expectHarmless(() => server.dataDir);

type Expectation = { file: string; verdict: 'reject' | 'warn' | 'accept' };
const expected = (): Expectation[] => JSON.parse(readFileSync(testData('bad/expect.json'), 'utf8'));
const bytesOf = (file: string) => readFileSync(testData(`bad/${file}`));
/** Without the mark in front. */
const textOf = (file: string) => new TextDecoder().decode(bytesOf(file));

/** Seconds of a core since then: a busy machine does not count. */
function coreSeconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

const POINT = { type: 'Point', coordinates: [3, 54] };

// Each file is read by a child of its own, which takes its time on a busy machine.
describe('a document', { timeout: 120_000 }, () => {
  itWithData('may be any bad picture, paper, table or list: it is kept as it came, and hurts nobody', async () => {
    const looked = ['image/svg_named.png', 'image/crc_wrong.png', 'image/text_bomb.png', 'image/jpeg_exif_far.jpg'];
    looked.push('doc/quote_open.csv', 'json/deep_100000.json', 'json/line_60000_points.geojson', 'json/utf16.geojson');
    const svgs = ['onload.svg', 'foreign_object.svg', 'file_href.svg', 'entity.svg'].map((name) => `image/${name}`);
    const others = [...svgs, 'doc/html_named.pdf', 'doc/formula.csv', 'geo/entity_cot.xml', 'geo/laughs.gpx'];
    const rows: Record<string, DocumentRow> = {};
    for (const file of looked) rows[file] = await read('U1', testData(`bad/${file}`));
    for (const file of others) {
      rows[file] = (await post('U1', { title: 'file' }, { name: basename(file), bytes: bytesOf(file) })).body;
    }

    for (const [file, { _id, state, geometry, sizeBytes }] of Object.entries(rows)) {
      const seen = looked.includes(file) ? 'Ready' : 'Processing';
      expect([file, state, geometry, sizeBytes]).toEqual([file, seen, null, bytesOf(file).byteLength]);
      const { headers, rawPayload } = await server.asUser('U1').inject({ url: `/api/documents/${_id}/content` });
      expect(rawPayload.equals(bytesOf(file)), file).toBe(true);
      expect(headers['content-disposition'], file).toMatch(/^attachment;/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(String(headers['content-type'])).not.toMatch(/html|svg|xml/);
    }
    const contents = Object.entries(rows).map(([file, { content }]) => [basename(file), content]);
    expect(Object.fromEntries(contents)).toMatchObject({
      'onload.svg': 'text',
      'svg_named.png': 'text',
      'html_named.pdf': 'text',
      'formula.csv': 'csv',
      'quote_open.csv': 'csv',
      'entity_cot.xml': 'text',
    });
  });

  itWithData(
    'with a place on both sides of the antimeridian is found there, and nowhere else',
    { tags: 'long' },
    async () => {
      const row = await read('U1', testData('bad/json/antimeridian.geojson'));
      const found = async (box: string) => (await list('U1', `geometry=${box}`)).map(({ _id }) => _id);

      expect(row.geometry?.type).toBe('Polygon');
      expect(await found('179.2,-0.5,179.8,0.5')).toEqual([row._id]);
      expect(await found('-179.8,-0.5,-179.2,0.5')).toEqual([row._id]);
      expect(await found('-10,-0.5,10,0.5')).toEqual([]);
    },
  );

  itWithData('with a byte order mark in front has its place', async () => {
    expect((await read('U1', testData('bad/json/utf8_bom.geojson'))).geometry).toEqual(POINT);
  });
});

describe('a place', () => {
  itWithData('is read from no GeoJSON that must be refused, and from those that must be taken', () => {
    const judged = expected().filter(({ file, verdict }) => file.startsWith('json/') && verdict !== 'warn');

    for (const { file, verdict } of judged) {
      const before = process.cpuUsage();
      expect([file, readGeoJson(textOf(file)).geometry !== null]).toEqual([file, verdict === 'accept']);
      expect(coreSeconds(before), file).toBeLessThan(1);
    }
    expect(judged.length).toBeGreaterThan(20);
  });

  itWithData('is taken for what it is from one with odd keys, and nothing of the server is changed by them', () => {
    for (const name of ['prototype', 'duplicate_keys', 'script_in_title', 'utf8_bom']) {
      expect(readGeoJson(textOf(`json/${name}.geojson`)).geometry, name).toEqual(POINT);
    }
    expect(readGeoJson(textOf('json/lon_540.geojson')).geometry).toBeNull();
    expect('polluted' in {} || 'isAdmin' in {}).toBe(false);
  });

  itWithData('that a form brings is refused with a sentence where it must be', async () => {
    const file = { name: 'a.txt', bytes: Buffer.from('text') };
    const send = (geometry: string) => post('U1', { title: 'placed', geometry }, file);
    const geometryOf = (name: string) => {
      const complete = JSON.parse(textOf(`json/${name}.geojson`)) as { features?: { geometry: unknown }[] };
      return JSON.stringify(complete.features?.[0]?.geometry ?? complete);
    };
    const faults = {
      self_crossing: 'The outline crosses itself.',
      unclosed_ring: 'The outline is not closed: its last point must be its first.',
      hole_outside: 'A hole lies outside of its area.',
    };

    for (const [name, geometry] of Object.entries(faults)) {
      const { status, body } = await send(geometryOf(name));
      expect([name, status, body.values]).toEqual([name, 400, { geometry }]);
    }
    const others = ['infinite', 'lat_95', 'lon_540', 'strings_as_numbers', 'one_coordinate', 'three_point_ring'];
    for (const name of [...others, 'old_crs', 'unknown_type', 'nested_collections', 'line_60000_points']) {
      expect([name, (await send(geometryOf(name))).status]).toEqual([name, 400]);
    }
    for (const name of ['not_json.geojson', 'nan.geojson', 'html_named.json', 'deep_100000.json', 'good.geojson']) {
      expect([name, (await send(textOf(`json/${name}`))).status]).toEqual([name, 400]);
    }
    for (const name of ['good', 'pole', 'antimeridian']) {
      const { status, body } = await send(geometryOf(name));
      expect([name, status, JSON.stringify(body.geometry)]).toEqual([name, 200, geometryOf(name)]);
    }
    expect((await list('U1', 'search=placed')).length).toBe(3);
  });
});

describe('the outline of an area', () => {
  const area = (...coordinates: [number, number][][]): DocumentGeometry =>
    documentGeometry.parse({ type: 'Polygon', coordinates });
  const circle = (lon: number, radius: number, points: number): [number, number][] =>
    Array.from({ length: points + 1 }, (_none, n) => {
      const angle = (2 * Math.PI * (n % points)) / points;
      return [((lon + radius * Math.cos(angle) + 540) % 360) - 180, radius * Math.sin(angle)];
    });

  it.each([
    ['with a hole', area(circle(0, 10, 40), circle(1, 2, 12))],
    ['across the antimeridian, with a hole on its other side', area(circle(180, 10, 40), circle(183, 2, 12))],
    [
      'that comes back to a corner of its own',
      area([
        [0, 0],
        [1, 1],
        [2, 0],
        [2, 2],
        [1, 1],
        [0, 2],
        [0, 0],
      ]),
    ],
    ['of as many points as are allowed', area(circle(0, 40, 19_999))],
  ])('%s is none to refuse', (_what, geometry) => {
    expect(outlineFault(geometry)).toBeNull();
  });

  it('that is a tangle ends in a sentence, and not in minutes', () => {
    // Long parallel sides that do not cross: all of them are open at once.
    const comb = Array.from({ length: 9_998 }, (_none, n): [number, number] => [n % 2 ? 80 : -80, n / 200]);

    const before = process.cpuUsage();
    const fault = outlineFault(area([...comb, [90, 60], [90, -10], [-80, 0]]));

    expect(fault).toBe('The outline is too intricate to be checked.');
    expect(coreSeconds(before)).toBeLessThan(2);
  });
});
