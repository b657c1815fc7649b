import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { waitingFor } from '../../test/locks.ts';
import { tusClient } from '../../test/upload-client.ts';
import { startUploadServer, type UploadServer } from '../../test/upload-server.ts';
import { sweepUploads } from './sweep.ts';
import { EXPIRES_MS, tusStore } from './tus-store.ts';

let server: UploadServer;
let client: ReturnType<typeof tusClient>;
beforeAll(async () => {
  server = await startUploadServer();
  await server.user('admin');
  await server.user('other');
  client = tusClient(server, 'admin');
});

const MIB = 1024 * 1024;
const stream = () => readFileSync(testData('ts/osh/sample-stream.ts'));
const rowOf = (location: string) =>
  server.db.selectFrom('uploads').selectAll().where('id', '=', location.split('/').at(-1)!).executeTakeFirstOrThrow();

async function begin(size: number, name = 'flight.ts') {
  const sensor = await server.target();
  const created = await client.create({ sensorId: sensor.sensorId, name, size });
  expect(created.status).toBe(201);
  return { ...sensor, location: created.location! };
}

/** A connection with the head of a PATCH on it, without a body. */
function beginPatch(location: string, offset: number, length: number): Socket {
  const { hostname, port } = new URL(server.address);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  const head = [
    `PATCH ${location} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Tus-Resumable: 1.0.0',
    'x-user: admin',
    'Content-Type: application/offset+octet-stream',
    `Upload-Offset: ${offset}`,
    `Content-Length: ${length}`,
    '',
    '',
  ];
  socket.write(head.join('\r\n'));
  return socket;
}

/** Most received bytes that the server may lose. */
const LOST_MAX = 8 * MIB;

/** Sends a part of a PATCH and cuts the line as soon as no more of it may be lost. Returns whether the server took it. */
async function sendAndCut(location: string, offset: number, complete: Uint8Array, sentBytes: number): Promise<boolean> {
  const socket = beginPatch(location, offset, complete.byteLength - offset);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk;
  });
  await new Promise((resolve) => socket.write(complete.subarray(offset, offset + sentBytes), resolve));
  const taken = await vi.waitFor(async () => {
    // The server refuses a part, or closes its connection, while it still ends the one before: a client asks again.
    if (answer.startsWith('HTTP/1.1 409') || socket.destroyed) return false;
    expect((await rowOf(location)).offset_bytes).toBeGreaterThanOrEqual(offset + sentBytes - LOST_MAX);
    return true;
  });
  socket.destroy();
  return taken;
}

describe('a resumable upload', () => {
  it('announces what it speaks', async () => {
    const answer = await fetch(`${server.address}/api/uploads`, { method: 'OPTIONS' });

    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,expiration,checksum,termination',
      'tus-checksum-algorithm': 'sha1,sha256',
    });
  });

  itWithData(
    'T-051 that is cut twenty times at odd places ends whole, and at most 8 MiB are sent again after a cut',
    async () => {
      const bytes = Buffer.concat([stream(), randomBytes(36 * MIB)]);
      const { location, sensorId } = await begin(bytes.byteLength);
      const again: number[] = [];

      let sentUntil = 0;
      // A part whose line was cut may still be read while the next question is answered: 409 says to ask again.
      for (let cut = 1; cut <= 20; ) {
        const { offset } = await client.head(location);
        again.push(sentUntil - offset);
        // Two parts are longer than what may be lost of them.
        const partBytes = cut % 8 === 0 ? 16 * MIB : 100_000 + 7777 * cut;
        if (!(await sendAndCut(location, offset, bytes, partBytes))) continue;
        sentUntil = offset + partBytes;
        cut += 1;
      }
      const last = await vi.waitFor(async () => {
        const { offset } = await client.head(location);
        again.push(sentUntil - offset);
        const answer = await client.patch(location, offset, bytes.subarray(offset));
        // A refused part was not taken: the next offset comes from the earlier cuts alone.
        expect(answer.status).not.toBe(409);
        return answer;
      });

      expect(last).toMatchObject({ status: 204, offset: bytes.byteLength });
      const file = await server.db.selectFrom('files').selectAll().where('sensor_id', '=', sensorId).executeTakeFirst();
      expect(file).toMatchObject({ size_bytes: bytes.byteLength, last_modified: 1_600_000_000_000_000 });
      expect(file!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(
        createHash('sha256')
          .update(readFileSync(server.storage.path(file!.storage_key)))
          .digest('hex'),
      ).toBe(file!.sha256);
      expect(Math.max(...again)).toBeLessThanOrEqual(LOST_MAX);
    },
  );

  itWithData('hashes the whole file also when another process took its beginning', async () => {
    const bytes = stream();
    const { location, sensorId } = await begin(bytes.byteLength);
    await client.patch(location, 0, bytes.subarray(0, 1000));
    const restarted = tusStore({ db: server.db, storage: server.storage, nowUs: () => Date.now() * 1000 });
    const row = await rowOf(location);
    const { file, hash } = await restarted.open(row);
    await file.write(bytes.subarray(1000));
    await file.close();

    expect(hash).toBeNull();
    expect(await restarted.sha256(row)).toBe(createHash('sha256').update(bytes).digest('hex'));
    // The bytes after the first 1000 were not on disk before the restart: the server cuts them off and receives them
    // again.
    await client.patch(location, 1000, bytes.subarray(1000));
    const stored = await server.db.selectFrom('files').selectAll().where('sensor_id', '=', sensorId).executeTakeFirst();
    expect(stored!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  itWithData('T-098 whose ending was cut short by a crash is ended by the next question', async () => {
    const bytes = stream();
    const { location, sensorId } = await begin(bytes.byteLength);
    await client.patch(location, 0, bytes.subarray(0, 5000));
    const row = await rowOf(location);
    const file = await server.storage.append(row.storage_key);
    await file.write(bytes.subarray(5000));
    await file.sync();
    await file.close();
    await server.db.updateTable('uploads').set({ offset_bytes: bytes.byteLength }).where('id', '=', row.id).execute();
    // The crash came between the move and the rows.
    await server.storage.move(row.storage_key, `originals/${sensorId}/${row.id}.ts`);

    const asked = await client.head(location);
    const again = await client.head(location);

    expect(asked).toEqual({ status: 200, offset: bytes.byteLength });
    expect(again).toEqual(asked);
    const rows = await server.db.selectFrom('files').selectAll().where('sensor_id', '=', sensorId).execute();
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['another offset than the file has', { 'upload-offset': '7' }, 409, 'uploadMoved'],
    ['no offset', { 'upload-offset': '' }, 400, 'invalid'],
    ['another version', { 'tus-resumable': '0.2.2' }, 412, 'uploadProtocol'],
    ['another type', { 'content-type': 'application/json' }, 415, 'unsupportedMediaType'],
    ['a packed body', { 'content-encoding': 'gzip' }, 415, 'unsupportedMediaType'],
    ['an unknown checksum', { 'upload-checksum': 'md5 AAAA' }, 400, 'invalid'],
  ])('refuses a part with %s', async (_what, headers, status, code) => {
    const { location } = await begin(100);

    const sent = await client.patch(location, 0, new Uint8Array(10), headers);

    expect(sent).toMatchObject({ status, code });
    expect((await client.head(location)).offset).toBe(0);
  });

  it('refuses more bytes than were announced, and keeps none of them', async () => {
    const { location } = await begin(100);

    expect(await client.patch(location, 0, new Uint8Array(101))).toMatchObject({ status: 413 });
    expect(await client.head(location)).toEqual({ status: 200, offset: 0 });
  });

  it('takes a part with its right checksum, and nothing of one with a wrong one', async () => {
    const { location } = await begin(100);
    const part = randomBytes(40);
    const sum = createHash('sha1').update(part).digest('base64');

    expect(await client.patch(location, 0, part, { 'upload-checksum': `sha1 ${sum}` })).toMatchObject({ offset: 40 });
    const wrong = await client.patch(location, 40, randomBytes(40), { 'upload-checksum': `sha1 ${sum}` });

    expect(wrong).toMatchObject({ status: 460, code: 'checksumMismatch' });
    expect((await client.head(location)).offset).toBe(40);
    expect((await server.storage.stat((await rowOf(location)).storage_key))!.sizeBytes).toBe(40);
  });

  itWithData('keeps its hash right after a part with a wrong checksum', async () => {
    const bytes = stream();
    const { location, sensorId } = await begin(bytes.byteLength);
    await client.patch(location, 0, bytes.subarray(0, 5000));
    const wrong = { 'upload-checksum': `sha256 ${Buffer.alloc(32).toString('base64')}` };
    expect(await client.patch(location, 5000, randomBytes(100), wrong)).toMatchObject({ status: 460 });

    await client.patch(location, 5000, bytes.subarray(5000));

    const file = await server.db.selectFrom('files').selectAll().where('sensor_id', '=', sensorId).executeTakeFirst();
    expect(file!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('T-052 is 404 for all other accounts, on any call', async () => {
    const { location } = await begin(100);
    const stranger = tusClient(server, 'other');

    expect((await stranger.head(location)).status).toBe(404);
    expect((await stranger.patch(location, 0, new Uint8Array(10))).status).toBe(404);
    expect((await stranger.remove(location)).status).toBe(404);
    expect((await tusClient(server, 'nobody').head(location)).status).toBe(401);
    expect((await client.head(location)).status).toBe(200);
  });

  it('T-052 loses its bytes at the next part when its sender has lost the right', async () => {
    const actor = await server.user('demoted');
    const own = tusClient(server, 'demoted');
    const sensor = await server.target();
    await server.db.updateTable('missions').set({ state: 'Ready' }).where('id', '=', sensor.missionId).execute();
    const { location } = await own.create({ sensorId: sensor.sensorId, name: 'a.ts', size: 100 });
    await own.patch(location!, 0, new Uint8Array(10));
    const { storage_key } = await rowOf(location!);

    server.actors.set('demoted', { ...actor, role: 'user' });

    expect((await own.patch(location!, 10, new Uint8Array(10))).status).toBe(403);
    expect(await server.storage.stat(storage_key)).toBeNull();
    expect((await own.head(location!)).status).toBe(404);
  });

  itWithData(
    'T-052 ends within a second where its sender loses the right while it sends, also one who waits',
    async () => {
      const { location, sensorId } = await begin(100 * MIB);
      const socket = beginPatch(location, 0, 100 * MIB);
      let answer = '';
      socket.on('data', (chunk: Buffer) => {
        answer += chunk;
      });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      // Bytes are noted with those that come a moment later.
      await vi.waitFor(async () => {
        socket.write(stream().subarray(0, 188 * 1024));
        expect((await rowOf(location)).offset_bytes).toBeGreaterThan(0);
      });

      const lostMs = performance.now();
      await server.db
        .updateTable('missions')
        .set({ deleted_time: 1 })
        .where('id', '=', (eb) => eb.selectFrom('sensors').select('mission_id').where('id', '=', sensorId))
        .execute();
      await closed;

      expect(performance.now() - lostMs).toBeLessThan(process.env.OSPREY_FIGURES ? 1000 : 5000);
      expect(answer === '' || answer.startsWith('HTTP/1.1 404')).toBe(true);
      const id = location.split('/').at(-1)!;
      await vi.waitFor(async () =>
        expect(await server.db.selectFrom('uploads').select('id').where('id', '=', id).execute()).toEqual([]),
      );
    },
  );

  it('is gone after it was terminated', async () => {
    const { location } = await begin(100);
    await client.patch(location, 0, new Uint8Array(10));
    const { storage_key } = await rowOf(location);

    expect((await client.remove(location)).status).toBe(204);

    expect((await client.head(location)).status).toBe(404);
    expect(await server.storage.stat(storage_key)).toBeNull();
  });

  it('has one writer: who comes later ends the one before', async () => {
    const { location } = await begin(10 * MIB);
    const stuck = beginPatch(location, 0, 10 * MIB);
    stuck.write('abc');
    const dripping = setInterval(() => stuck.write('abc'), 20);
    await vi.waitFor(async () => expect((await rowOf(location)).offset_bytes).toBeGreaterThan(0));

    const { offset } = await client.head(location);
    clearInterval(dripping);

    expect(offset).toBeGreaterThan(0);
    const next = await client.patch(location, offset, new Uint8Array(10));
    expect(next).toMatchObject({ status: 204, offset: offset + 10 });
    stuck.destroy();
  });

  it('has one writer also where the next one comes before the rights of the first are read', async () => {
    const { location } = await begin(MIB);
    const { stuck, next } = await server.db.transaction().execute(async (tx) => {
      await sql`lock table sensors in access exclusive mode`.execute(tx);
      const stuck = beginPatch(location, 0, MIB);
      await expect.poll(() => waitingFor('sensors', tx)).toBe(1);
      const next = client.ask(location, { method: 'DELETE' });
      // Once these later requests were answered, the DELETE waits for the lock of the first one.
      for (let i = 0; i < 20; i++) await client.head(`/api/uploads/${crypto.randomUUID()}`);
      return { stuck, next };
    });

    expect(await next).toMatchObject({ status: 204 });
    stuck.destroy();
  });

  it.each([
    ['an empty file', { size: 0 }, 415, 'emptyFile'],
    ['a name that leads away', { name: '..' }, 415, 'unsupportedFile'],
    ['a sensor that is not there', { sensorId: crypto.randomUUID() }, 404, 'notFound'],
    ['a sensor that is no id', { sensorId: "'; drop table files" }, 404, 'notFound'],
  ])('is not begun for %s', async (_what, fields, status, code) => {
    const { sensorId } = await server.target();

    const created = await client.create({ sensorId, name: 'a.ts', size: 10, ...fields });

    expect(created).toMatchObject({ status, code, location: null });
  });
});

describe('what is left over', () => {
  const sweep = (nowMs: number, startedMs: number) => {
    const nowUs = () => nowMs * 1000;
    const uploads = tusStore({ db: server.db, storage: server.storage, nowUs });
    return sweepUploads({ ...server, uploads, nowUs, log: { info: () => {} } }, startedMs);
  };

  it('is removed: uploads after 72 hours, cut forms at the start; what has become an original never is', async () => {
    const { location, sensorId } = await begin(100);
    await client.patch(location, 0, new Uint8Array(10));
    const { storage_key } = await rowOf(location);
    const form = `uploads/${crypto.randomUUID()}.part`;
    const unowned = `originals/${sensorId}/${crypto.randomUUID()}.ts`;
    await server.storage.put(form, [Buffer.from('x')]);
    await server.storage.put(unowned, [Buffer.from('x')]);
    await utimes(server.storage.path(form), 1000, 1000);

    await sweep(Date.now() + 60_000, Date.now() - 60_000);

    expect(await server.storage.stat(form)).toBeNull();
    expect(await server.storage.stat(unowned)).not.toBeNull();
    expect(await server.storage.stat(storage_key)).not.toBeNull();

    await sweep(Date.now() + EXPIRES_MS + 60_000, Date.now());

    expect(await server.storage.stat(unowned)).not.toBeNull();
    expect(await server.storage.stat(storage_key)).toBeNull();
    expect((await client.head(location)).status).toBe(404);
  });

  itWithData('is never a file that has a row', async () => {
    const bytes = stream();
    const { location, sensorId } = await begin(bytes.byteLength);
    await client.patch(location, 0, bytes);

    await sweep(Date.now() + 2 * EXPIRES_MS, Date.now());

    const file = await server.db.selectFrom('files').selectAll().where('sensor_id', '=', sensorId).executeTakeFirst();
    expect(await server.storage.stat(file!.storage_key)).not.toBeNull();
  });
});
