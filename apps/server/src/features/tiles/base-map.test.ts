import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeMbtiles } from '../../../../../tools/test-support/tile-files.ts';
import { testServer } from '../../../test/server.ts';

const server = await testServer();
const path = join(server.dataDir, 'base-map.mbtiles');
const ask = (url: string) => server.inject({ method: 'GET', url });
const land = Buffer.from([0x1a, 0x02, 0x78, 0x02]);

it('describes and serves the finer coast once it was made, to everyone who gets the page', async () => {
  expect((await ask('/base-map/fine.json')).statusCode).toBe(204);
  expect((await ask('/base-map/fine/6/33/22')).statusCode).toBe(404);
  const metadata = { name: 'Base map', format: 'pbf', minzoom: '6', maxzoom: '10', attribution: 'GSHHG (LGPL)' };
  writeMbtiles(path, metadata, [{ z: 6, x: 33, y: 22, bytes: land }]);

  const described = (await ask('/base-map/fine.json')).json<{ tiles: string }>();

  expect(described).toMatchObject({ minZoom: 6, maxZoom: 10, attribution: 'GSHHG (LGPL)' });
  const of = (x: number) => described.tiles.replace('{z}/{x}/{y}', `6/${x}/22`);
  const tile = await ask(of(33));
  expect([tile.statusCode, tile.headers['content-type']]).toEqual([200, 'application/x-protobuf']);
  expect(tile.rawPayload.equals(land)).toBe(true);
  expect((await ask(of(34))).statusCode).toBe(204);
  expect((await ask('/base-map/fine/6/-1/22')).statusCode).toBe(404);
});

it('draws the coarse coast where the file is broken', async () => {
  await rm(path, { force: true });
  await writeFile(path, 'not a database at all, but long enough to look into');

  expect((await ask('/base-map/fine.json')).statusCode).toBe(204);
});
