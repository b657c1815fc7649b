import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { flightBytes } from '../../test/flight.ts';
import { smallVolume } from '../../test/small-volume.ts';
import { sendForm, tusClient } from '../../test/upload-client.ts';
import { startUploadServer } from '../../test/upload-server.ts';

const MIB = 1024 ** 2;
const stream = () => readFileSync(testData('ts/kwiver/h264_klv.ts'));

it('T-084 answers 507 at both doors before the first byte when the reserve of the disk would be touched', async () => {
  const server = await startUploadServer({ reserveBytes: Number.MAX_SAFE_INTEGER });
  await server.user('admin');
  const sensor = await server.target();

  const form = await sendForm(server, {
    user: 'admin',
    sensor,
    files: [{ name: 'a.ts', bytes: new Uint8Array(1000) }],
  });
  const tus = await tusClient(server, 'admin').create({ sensorId: sensor.sensorId, name: 'a.ts', size: 1000 });

  expect(form).toMatchObject({ status: 507, code: 'diskFull' });
  expect(tus).toMatchObject({ status: 507, code: 'diskFull' });
  expect(await server.files()).toEqual([]);
});

it('knows no limit but the room on the disk', async () => {
  const server = await startUploadServer();
  await server.user('admin');
  const sensor = await server.target();
  const space = await server.storage.space();
  vi.spyOn(server.storage, 'space').mockResolvedValue({ ...space, freeBytes: 2 ** 52, totalBytes: 2 ** 53 });

  const begun = await tusClient(server, 'admin').create({ sensorId: sensor.sensorId, name: 'a.ts', size: 2 ** 50 });

  expect(begun).toMatchObject({ status: 201, location: expect.any(String) });
});

it('counts the transport stream that is made of an MP4, and not for a document', async () => {
  const server = await startUploadServer();
  await server.user('admin');
  const sensor = await server.target();
  vi.spyOn(server.storage, 'space').mockResolvedValue({ freeBytes: 100 * MIB, totalBytes: 200 * MIB });
  const client = tusClient(server, 'admin');
  const begin = (name: string, mib: number) => client.create({ sensorId: sensor.sensorId, name, size: mib * MIB });

  const tooLarge = await begin('DJI_0001.MP4', 51);
  const fits = await begin('DJI_0001.MP4', 50);

  expect([tooLarge.status, tooLarge.code, fits.status]).toEqual([507, 'diskFull', 201]);
});

it('counts what uploads under way will still bring', async () => {
  const server = await startUploadServer();
  await server.user('admin');
  const sensor = await server.target();
  const { freeBytes } = await server.storage.space();
  const client = tusClient(server, 'admin');

  const first = await client.create({ sensorId: sensor.sensorId, name: 'a.ts', size: Math.round(freeBytes * 0.6) });
  const second = await client.create({ sensorId: sensor.sensorId, name: 'b.ts', size: Math.round(freeBytes * 0.6) });

  expect(first.status).toBe(201);
  expect(second).toMatchObject({ status: 507, code: 'diskFull' });
});

it('leaves each user an equal share of the room, for any announcements of others, and lets the first one go on', async () => {
  const server = await startUploadServer();
  await server.user('admin');
  await server.user('other');
  await server.user('third');
  const sensor = await server.target();
  const space = { freeBytes: 100 * MIB, totalBytes: 200 * MIB };
  vi.spyOn(server.storage, 'space').mockResolvedValue(space);
  const begin = (user: string, mib: number) =>
    tusClient(server, user).create({ sensorId: sensor.sensorId, name: 'a.ts', size: mib * MIB });

  const all = await begin('admin', 100);
  const tooMuch = await begin('other', 51);
  const half = await begin('other', 50);
  const aboveThird = await begin('third', 34);
  const third = await begin('third', 33);
  const goesOn = await tusClient(server, 'admin').patch(all.location!, 0, flightBytes({ seconds: 1 }));

  expect([all.status, tooMuch.status, half.status, goesOn.status]).toEqual([201, 507, 201, 204]);
  expect([aboveThird.status, third.status]).toEqual([507, 201]);
});

it('counts the transport stream that is made of a recording in a container', async () => {
  const server = await startUploadServer();
  await server.user('admin');
  const sensor = await server.target();
  vi.spyOn(server.storage, 'space').mockResolvedValue({ freeBytes: 100 * MIB, totalBytes: 200 * MIB });
  const begin = (name: string, mib: number) =>
    tusClient(server, 'admin').create({ sensorId: sensor.sensorId, name, size: mib * MIB });

  expect((await begin('DJI_0001.MP4', 51)).status).toBe(507);
  expect((await begin('a.mkv', 51)).status).toBe(507);
  expect((await begin('DJI_0001.MP4', 50)).status).toBe(201);
});

it('does not count an upload that brings no byte for ten minutes until it goes on', async () => {
  let nowUs = Date.now() * 1000;
  const server = await startUploadServer({ nowUs: () => nowUs });
  await server.user('admin');
  const sensor = await server.target();
  const space = { freeBytes: 100 * MIB, totalBytes: 200 * MIB };
  vi.spyOn(server.storage, 'space').mockResolvedValue(space);
  const client = tusClient(server, 'admin');
  const begin = () => client.create({ sensorId: sensor.sensorId, name: 'a.ts', size: 100 * MIB });

  const first = await begin();
  nowUs += 9 * 60e6;
  const tooSoon = await begin();
  nowUs += 61e6;
  const second = await begin();

  expect([first.status, tooSoon.status, second.status]).toEqual([201, 507, 201]);
});

it('ends an upload whose room is gone while it grows, and keeps what came', async () => {
  const server = await startUploadServer();
  await server.user('admin');
  const sensor = await server.target();
  const space = vi.spyOn(server.storage, 'space');
  space.mockResolvedValueOnce({ freeBytes: 200 * MIB, totalBytes: 400 * MIB });
  space.mockResolvedValueOnce({ freeBytes: 200 * MIB, totalBytes: 400 * MIB });
  space.mockResolvedValue({ freeBytes: MIB, totalBytes: 400 * MIB });
  const bytes = Buffer.alloc(80 * MIB, flightBytes({ seconds: 1 }));
  const client = tusClient(server, 'admin');
  const { location } = await client.create({ sensorId: sensor.sensorId, name: 'a.ts', size: bytes.length });

  const cut = await client.patch(location!, 0, bytes);

  expect(cut).toMatchObject({ status: 507, code: 'diskFull' });
  const { offset } = await client.head(location!);
  expect(offset).toBeGreaterThanOrEqual(64 * MIB);
  expect(offset).toBeLessThan(bytes.length);
});

itWithData('holds each user to their quota, over files and begun uploads', async () => {
  const server = await startUploadServer({ userQuotaBytes: 250_000 });
  await server.user('admin');
  await server.user('other');
  const sensor = await server.target();
  const files = [{ name: 'a.ts', bytes: stream() }];
  expect((await sendForm(server, { user: 'admin', sensor, files })).status).toBe(200);

  const client = tusClient(server, 'admin');
  const begun = await client.create({ sensorId: sensor.sensorId, name: 'b.ts', size: 100_000 });
  const tooMuch = await client.create({ sensorId: sensor.sensorId, name: 'c.ts', size: 100_000 });

  expect(begun.status).toBe(201);
  expect(tooMuch).toMatchObject({ status: 507, code: 'quotaReached' });
  const form = await sendForm(server, { user: 'admin', sensor, files });
  expect(form).toMatchObject({ status: 507, code: 'quotaReached' });
  expect(form.text).toContain('You may store 244.1 KB on this server, and your recordings already take 204.9 KB.');
  expect((await sendForm(server, { user: 'other', sensor, files })).status).toBe(200);
});

it('counts archives that are being imported to the quota of their user, and no longer than that', async () => {
  const server = await startUploadServer({ userQuotaBytes: 3 * MIB });
  const { id } = await server.user('admin');
  const sensor = await server.target();
  const begin = () => tusClient(server, 'admin').create({ sensorId: sensor.sensorId, name: 'a.ts', size: 2 * MIB });
  const archive = { kind: 'import', user_id: id, title: 'kea.zip', input: '{}', size_bytes: 2 * MIB, offset_bytes: 0 };
  await server.db
    .insertInto('tasks')
    .values({ ...archive, state: 'waiting', created: 0 })
    .execute();

  const meanwhile = await begin();
  await server.db.updateTable('tasks').set({ state: 'done' }).execute();
  const afterwards = await begin();

  expect([meanwhile.code, afterwards.status]).toEqual(['quotaReached', 201]);
});

itWithData('counts a form that does not say how long it is, as it comes', async () => {
  const server = await startUploadServer({ userQuotaBytes: 250_000 });
  await server.user('admin');
  const { missionId, sensorId } = await server.target();
  const bytes = stream();
  function* form() {
    for (const name of ['a.ts', 'b.ts', 'c.ts']) {
      yield Buffer.from(`--x\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\n`);
      yield bytes;
      yield Buffer.from('\r\n');
    }
    yield Buffer.from('--x--\r\n');
  }

  const answer = await fetch(`${server.address}/api/missions/upload/${missionId}/${sensorId}`, {
    method: 'POST',
    headers: { 'x-user': 'admin', 'content-type': 'multipart/form-data; boundary=x' },
    body: Readable.toWeb(Readable.from(form())),
    duplex: 'half',
  } as RequestInit);

  expect(answer.status).toBe(507);
  expect(await server.files()).toEqual([]);
});

const volume = smallVolume(8, 'T-084 for uploads to a volume that is full');

it.skipIf(volume === null)(
  'T-084 answers 507 at both doors where the disk is full, and loses nothing that was acknowledged',
  async () => {
    const server = await startUploadServer({ root: volume! });
    await server.user('admin');
    const sensor = await server.target();
    // The floor is far away: it is the write that fails.
    const space = { freeBytes: 2 ** 40, totalBytes: 2 ** 41 };
    vi.spyOn(server.storage, 'space').mockResolvedValue(space);
    const bytes = flightBytes({ seconds: 6, bitsPerSecond: 8e6 }).subarray(0, 4 * MIB);
    const filler = join(volume!, 'filler');
    const client = tusClient(server, 'admin');
    const { location } = await client.create({ sensorId: sensor.sensorId, name: 'a.ts', size: bytes.length });
    const first = await client.patch(location!, 0, bytes.subarray(0, MIB));
    // Room for half a MiB more: what comes ends in the midst of a write.
    await writeFile(filler, new Uint8Array(6.5 * MIB));

    const cut = await client.patch(location!, first.offset, bytes.subarray(first.offset));
    const form = await sendForm(server, { user: 'admin', sensor, files: [{ name: 'b.ts', bytes }] });

    expect([first.status, cut, form]).toMatchObject([
      204,
      { status: 507, code: 'diskFull' },
      { status: 507, code: 'diskFull' },
    ]);
    const { offset } = await client.head(location!);
    expect(offset).toBeGreaterThanOrEqual(first.offset);
    expect((await server.files()).filter((file) => file !== 'filler')).toHaveLength(1);

    await rm(filler);
    expect(await client.patch(location!, offset, bytes.subarray(offset))).toMatchObject({
      status: 204,
      offset: bytes.length,
    });
    const stored = await server.db.selectFrom('files').select(['sha256', 'size_bytes']).executeTakeFirstOrThrow();
    expect(stored).toMatchObject({
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size_bytes: bytes.length,
    });
  },
);
