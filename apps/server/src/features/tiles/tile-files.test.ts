import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { TileFile } from '@osprey/contract';
import { afterAll, expect, it } from 'vitest';
import { onePixelPng, writeMbtiles, writePmtiles } from '../../../../../tools/test-support/tile-files.ts';
import { testServer } from '../../../test/server.ts';
import { tileId } from './pmtiles.ts';
import { tileFileName } from './tile-files.ts';

const root = await mkdtemp(join(tmpdir(), 'osprey-tile-files-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const folder = join(root, 'served');
const server = await testServer({ config: { tilesDir: folder } });
type Who = Parameters<typeof server.asUser>[0];

const png = onePixelPng(255, 0, 0);
const base64 = (text: string) => Buffer.from(text).toString('base64');

async function chartBytes(name: string, metadata: Record<string, string> = {}, bytes: Buffer = png): Promise<Buffer> {
  const path = join(root, `${crypto.randomUUID()}.mbtiles`);
  const reported = { name, format: 'png', minzoom: '0', maxzoom: '4', ...metadata };
  writeMbtiles(path, reported, bytes.length === 0 ? [] : [{ z: 3, x: 1, y: 2, bytes }]);
  return readFile(path);
}

async function begin(who: Who, fileName: string, bytes: Buffer, purpose = 'tiles') {
  return server.asUser(who).inject({
    method: 'POST',
    url: '/api/uploads',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${base64(fileName)},purpose ${base64(purpose)}`,
    },
  });
}

async function upload(who: Who, fileName: string, bytes: Buffer): Promise<string> {
  const address = String((await begin(who, fileName, bytes)).headers.location);
  await server.asUser(who).inject({
    method: 'PATCH',
    url: address,
    headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    payload: bytes,
  });
  return address.split('/').at(-1)!;
}

const add = (who: Who, id: string) =>
  server.asUser(who).inject({ method: 'POST', url: '/api/map/files', payload: { upload: id } });
const listed = async () =>
  (await server.asUser('SA').inject({ method: 'GET', url: '/api/map/files' })).json<{ files: TileFile[] }>().files;
const titles = async () =>
  (await server.asUser('U1').inject({ method: 'GET', url: '/api/mapconfig' }))
    .json<{ layers: { title: string }[] }>()
    .layers.map(({ title }) => title);

it('makes a layer of an uploaded file at once, and takes it away again', async () => {
  const id = await upload('A2', 'harbour chart.mbtiles', await chartBytes('Harbour'));

  const added = await add('A2', id);

  expect(added.statusCode).toBe(200);
  expect(added.json<TileFile>()).toMatchObject({ name: 'harbour chart.mbtiles', fault: null, layer: { maxZoom: 4 } });
  expect(await titles()).toEqual(['Harbour']);
  const url = `/api/map/files/${added.json<TileFile>()._id}`;
  expect((await server.asUser('SA').inject({ method: 'DELETE', url })).json()).toEqual({
    message: 'The map layer of harbour chart.mbtiles was removed.',
  });
  expect([await titles(), await readdir(folder)]).toEqual([[], []]);
  expect((await server.asUser('SA').inject({ method: 'DELETE', url })).statusCode).toBe(404);
});

it('takes PMTiles too, and writes into the audit which file it was', async () => {
  const path = join(root, 'streets.pmtiles');
  const bytes = gzipSync(Buffer.from([0x1a, 0x02, 0x78, 0x02]));
  writePmtiles(path, {
    metadata: { name: 'Streets', vector_layers: [{ id: 'roads' }] },
    ...{ tileType: 1, maxZoom: 3, tiles: [{ id: tileId(3, 4, 3), bytes }] },
  });

  const added = await add('SA', await upload('SA', 'streets.PMTiles', await readFile(path)));

  expect(added.json<TileFile>().name).toBe('streets.pmtiles');
  const rows = await server.db.selectFrom('audit').select(['action', 'result']).execute();
  expect(rows).toContainEqual({ action: 'tiles.manage', result: 'added streets.pmtiles' });
  await server.asUser('SA').inject({ method: 'DELETE', url: `/api/map/files/${added.json<TileFile>()._id}` });
});

it('never writes over a file, and keeps the upload for another try', async () => {
  const first = (await add('SA', await upload('SA', 'sea.mbtiles', await chartBytes('First')))).json<TileFile>();
  const second = await upload('SA', 'sea.mbtiles', await chartBytes('Second'));

  const refused = await add('SA', second);

  expect(refused.statusCode).toBe(422);
  expect(refused.json().text).toContain('There is a map layer from the file sea.mbtiles already.');
  expect(await titles()).toEqual(['First']);
  await server.asUser('SA').inject({ method: 'DELETE', url: `/api/map/files/${first._id}` });
  expect((await add('SA', second)).statusCode).toBe(200);
  expect(await titles()).toEqual(['Second']);
  for (const { _id } of await listed()) {
    await server.asUser('SA').inject({ method: 'DELETE', url: `/api/map/files/${_id}` });
  }
});

it.each([
  ['page.mbtiles', () => chartBytes('Page', {}, Buffer.from('<html>')), /neither PNG, JPEG nor WebP/],
  ['empty.mbtiles', () => chartBytes('Empty', {}, Buffer.alloc(0)), /it has no tiles/],
  ['roads.mbtiles', () => chartBytes('Roads', { format: 'pbf' }, Buffer.from([0x1a, 0])), /does not name the layers/],
  ['film.pmtiles', async () => Buffer.from('no tiles at all, and long enough to look into it'.repeat(9)), /no PMTiles/],
  ['film.mp4', async () => Buffer.from('film'), /neither in \.mbtiles nor in \.pmtiles/],
] as const)('refuses %s with the reason', async (name, bytes, reason) => {
  const id = await upload('SA', name, await bytes());

  const { statusCode, json } = await add('SA', id);

  expect([statusCode, json().code]).toEqual([422, 'badFile']);
  expect(json().text).toMatch(reason);
  expect(await listed()).toEqual([]);
});

it('is for superAdmin and admin alone, each with their own uploads', async () => {
  const bytes = await chartBytes('Theirs');
  const id = await upload('SA', 'theirs.mbtiles', bytes);

  expect((await begin('GA', 'g.mbtiles', bytes)).statusCode).toBe(403);
  expect([(await add('GA', id)).statusCode, (await add('U1', id)).statusCode]).toEqual([403, 403]);
  expect((await add('A2', id)).statusCode).toBe(404);
  expect((await server.asUser('GA').inject({ method: 'GET', url: '/api/map/files' })).statusCode).toBe(403);
});

it('says what to do where the folder cannot be written into', async () => {
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, 'a file in the place of the folder');

  const { statusCode, json } = await add('SA', await upload('SA', 'a.mbtiles', await chartBytes('A')));

  expect([statusCode, json().text]).toEqual([422, expect.stringMatching(/may not write into the folder .+ by hand/)]);
  await rm(folder);
});

it('names the file in the folder plainly', () => {
  expect(tileFileName('Ärmel kanal (2).MBTiles')).toBe('Ärmel kanal (2).mbtiles');
  expect(tileFileName('../.hidden:x.pmtiles')).toBe('-.hidden-x.pmtiles');
  expect(tileFileName('.mbtiles.mbtiles')).toBe('mbtiles.mbtiles');
});
