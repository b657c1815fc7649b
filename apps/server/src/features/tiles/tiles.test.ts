import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import type { MapLayer } from '@osprey/contract';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onePixelPng, writeMbtiles, writePmtiles } from '../../../../../tools/test-support/tile-files.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { testServer } from '../../../test/server.ts';
import { openPmtiles, tileId } from './pmtiles.ts';
import { tileReader } from './tile-reader.ts';
import { tileSets } from './tile-sets.ts';

const root = await mkdtemp(join(tmpdir(), 'osprey-tiles-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const red = onePixelPng(255, 0, 0);
const blue = onePixelPng(0, 0, 255);
const chart = {
  name: 'Aegean <b>chart</b>',
  format: 'png',
  minzoom: '0',
  maxzoom: '2',
  bounds: '20,34,30,41',
  attribution: '&copy; <a href="https://example.org" onclick="x()">Hydrographic Office</a>',
};

describe('a server with tile sets of its site', async () => {
  const folder = await mkdtemp(join(root, 'served-'));
  writeMbtiles(join(folder, 'chart.mbtiles'), chart, [
    { z: 0, x: 0, y: 0, bytes: red },
    { z: 2, x: 2, y: 1, bytes: blue },
  ]);
  const vector = gzipSync(Buffer.from([0x1a, 0x02, 0x78, 0x02]));
  writePmtiles(join(folder, 'streets.pmtiles'), {
    metadata: { name: 'Streets', attribution: 'Survey', vector_layers: [{ id: 'roads' }, { id: 'water' }] },
    tileType: 1,
    maxZoom: 3,
    tiles: [
      { id: tileId(0, 0, 0), bytes: vector },
      { id: tileId(3, 4, 3), bytes: vector },
    ],
  });
  await writeFile(join(folder, 'notes.txt'), 'no tiles');
  await writeFile(join(folder, 'broken.mbtiles'), 'not a database at all, but long enough to look into');
  await writeFile(join(root, 'secret.mbtiles'), 'outside');
  const server = await testServer({ config: { tilesDir: folder } });
  const ask = (url: string, headers: Record<string, string> = {}) =>
    server.asUser('U1').inject({ method: 'GET', url, headers });
  const layers = async () => (await ask('/api/mapconfig')).json<{ layers: MapLayer[] }>().layers;
  const addressOf = ({ tileLayer }: MapLayer, z: number, x: number, y: number) =>
    tileLayer.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`);

  it('lists them with title and attribution as plain text, and what is needed to draw them', async () => {
    expect(await layers()).toMatchObject([
      {
        title: 'Aegean chart',
        attribution: '© Hydrographic Office',
        kind: 'raster',
        ...{ minZoom: 0, maxZoom: 2, bounds: [20, 34, 30, 41], vectorLayers: [] },
      },
      { title: 'Streets', attribution: 'Survey', kind: 'vector', maxZoom: 3, vectorLayers: ['roads', 'water'] },
    ]);
  });

  it('serves each tile at its place, and nothing where there is none', async () => {
    const [raster, streets] = await layers();

    const found = await ask(addressOf(raster!, 2, 2, 1));
    expect([found.statusCode, found.headers['content-type']]).toEqual([200, 'image/png']);
    expect(found.rawPayload.equals(blue)).toBe(true);
    expect((await ask(addressOf(raster!, 0, 0, 0))).rawPayload.equals(red)).toBe(true);
    expect((await ask(addressOf(raster!, 2, 2, 2))).statusCode).toBe(204);
    const tile = await ask(addressOf(streets!, 3, 4, 3));
    expect(tile.headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' });
    expect(tile.rawPayload.equals(vector)).toBe(true);
    expect((await ask(addressOf(streets!, 3, 4, 4))).statusCode).toBe(204);
  });

  it('lets browsers keep a tile, and answers 304 to the one they have', async () => {
    const [raster] = await layers();
    const url = addressOf(raster!, 0, 0, 0);

    const { headers } = await ask(url);

    expect(headers['cache-control']).toMatch(/^private, .*immutable$/);
    expect((await ask(url, { 'if-none-match': String(headers.etag) })).statusCode).toBe(304);
    expect((await ask(url, { 'if-none-match': '"another"' })).statusCode).toBe(200);
  });

  it('shows nothing to strangers, and no path leads out of the folder', async () => {
    const [raster] = await layers();
    expect((await server.inject({ method: 'GET', url: addressOf(raster!, 0, 0, 0) })).statusCode).toBe(401);
    expect((await server.inject({ method: 'GET', url: '/api/mapconfig' })).statusCode).toBe(401);
    expect((await server.asUser('guest').inject({ method: 'GET', url: '/api/mapconfig' })).statusCode).toBe(200);
    for (const layer of ['../secret', '..%2fsecret', 'chart.mbtiles', 'secret.mbtiles']) {
      expect([400, 404], layer).toContain((await ask(`/api/map/tiles/${layer}/0/0/0`)).statusCode);
    }
    expect((await ask(`/api/map/tiles/${'f'.repeat(16)}/0/0/0`)).statusCode).toBe(404);
    for (const place of ['25/0/0', '-1/0/0', '0/1e3/0', '0/0/99999999']) {
      expect((await ask(`/api/map/tiles/${raster!._id}/${place}`)).statusCode, place).toBe(400);
    }
  });

  it('names a broken file to admins on the page of its health', async () => {
    const { checks } = (await server.asUser('SA').inject({ method: 'GET', url: '/api/health' })).json();

    expect(checks).toContainEqual({
      name: 'map tiles',
      state: 'warning',
      text: expect.stringMatching(/^Map layers that cannot be shown: broken\.mbtiles: it cannot be read \(.+\)\.$/),
    });
  });
});

describe('a hostile file', () => {
  let folder = '';
  let sets: ReturnType<typeof tileSets>;
  let nowMs = 0;
  beforeEach(async () => {
    folder = await mkdtemp(join(root, 'hostile-'));
    nowMs = 0;
    sets = tileSets({ folder, reader: tileReader({ limitMs: 2000 }), nowMs: () => nowMs });
    writeMbtiles(join(folder, 'good.mbtiles'), { ...chart, name: 'Good' }, [{ z: 0, x: 0, y: 0, bytes: red }]);
  });
  afterEach(() => sets.close());
  atEnd(async () => sets?.close());

  const database = (name: string, sql: string) => {
    const made = new DatabaseSync(join(folder, name));
    made.exec(
      `CREATE TABLE metadata (name, value); INSERT INTO metadata VALUES ('minzoom', 0), ('maxzoom', 3), ('format', 'png');${sql}`,
    );
    made.close();
  };
  const goodStands = async () => {
    const { _id } = (await sets.layers()).find(({ title }) => title === 'Good')!;
    expect((await sets.tile(_id, [0, 0, 0]))!.type).toBe('image/png');
  };

  it('that computes for ever is given up, and the others go on', async () => {
    database(
      'endless.mbtiles',
      `CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
       SELECT 1 + i AS zoom_level, i AS tile_column, i AS tile_row, x'00' AS tile_data FROM n`,
    );
    const { _id } = (await sets.layers()).find(({ title }) => title === 'endless')!;

    await expect(sets.tile(_id, [0, 0, 0])).rejects.toThrow('Not found');

    expect((await sets.check()).text).toContain('endless.mbtiles: reading it takes longer than 2 s');
    expect((await sets.layers()).map(({ title }) => title)).toEqual(['Good']);
    await goodStands();
  });

  it('is judged by its tiles: too large ones, pages and bombs are none', async () => {
    const png = `x'${red.toString('hex')}'`;
    database(
      'large.mbtiles',
      'CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, zeroblob(900000000) AS tile_data',
    );
    database(
      'page.mbtiles',
      "CREATE TABLE tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, CAST('<html>' AS blob) AS tile_data",
    );
    database('strange.mbtiles', `CREATE TABLE tiles AS SELECT 'x' AS zoom_level, ${png} AS tile_data`);
    writePmtiles(join(folder, 'bomb.pmtiles'), {
      ...{ metadata: { name: 'bomb' }, tileType: 1, maxZoom: 0 },
      tiles: [{ id: 0, bytes: gzipSync(Buffer.alloc(64 * 1024 * 1024)) }],
    });

    for (const { _id, title } of await sets.layers()) {
      if (title !== 'Good') await expect(sets.tile(_id, [0, 0, 0]), title).rejects.toThrow('Not found');
    }

    const { text } = await sets.check();
    for (const name of ['large.mbtiles', 'page.mbtiles', 'strange.mbtiles', 'bomb.pmtiles'])
      expect(text).toContain(name);
    await goodStands();
  });

  it('that is no file is not opened, and one that is taken away is gone', async () => {
    await symlink('/dev/zero', join(folder, 'zero.pmtiles'));
    expect((await sets.layers()).map(({ title }) => title)).toEqual(['Good']);

    await rm(join(folder, 'good.mbtiles'));
    nowMs += 2000;

    expect(await sets.layers()).toEqual([]);
    expect((await sets.check()).state).toBe('ok');
  });

  it('of any damage throws its own error or gives what it holds', async () => {
    const path = join(folder, 'damaged.pmtiles');
    writePmtiles(path, {
      ...{ metadata: { name: 'whole' }, tileType: 2, maxZoom: 2 },
      tiles: [0, 1, 5, 9].map((id) => ({ id, bytes: red })),
    });
    const complete = openPmtiles(path);
    expect(complete.tile(0, 0, 0)!.type).toBe('image/png');
    complete.close();
    const bytes = await readFile(path);

    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1 }), async (changes) => {
        const damaged = Buffer.from(bytes);
        for (const [at, value] of changes) damaged[at] = value;
        await writeFile(path, damaged);
        try {
          const set = openPmtiles(path);
          try {
            for (const x of [0, 1, 2, 3]) set.tile(2, x, 1);
          } finally {
            set.close();
          }
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 200 },
    );
  });
});

it('numbers tiles along the Hilbert curve as the specification does', () => {
  // Section 4.1 of the specification.
  expect([tileId(0, 0, 0), tileId(1, 0, 0), tileId(1, 0, 1), tileId(1, 1, 1), tileId(1, 1, 0)]).toEqual([
    0, 1, 2, 3, 4,
  ]);
  expect([tileId(2, 0, 0), tileId(12, 3423, 1763)]).toEqual([5, 19_078_479]);
  const all = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((x) => [0, 1, 2, 3, 4, 5, 6, 7].map((y) => tileId(3, x, y)));
  expect(new Set(all).size).toBe(64);
  expect([Math.min(...all), Math.max(...all)]).toEqual([21, 84]);
});
