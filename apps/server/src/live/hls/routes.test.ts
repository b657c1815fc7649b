import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  faultsBetween,
  faultsOf,
  joined,
  readPlaylist,
  tableFaults,
} from '../../../../../tools/test-support/hls-checker.ts';
import { notedOf, withoutAudit } from '../../../test/audit.ts';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { type TestRecorder, testRecorder } from '../../../test/recorder.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { flightStream } from '../../../test/transport.ts';
import type { RecordedSegment, RingSegment } from '../../recorder-wire/protocol.ts';

const server = await testServer();
const { db, groups } = server;
const address = await server.listen();
const PART_BYTES = 1880;
const PARTS = [0.44, 0.44, 0.44, 0.44, 0.24];
const START_US = Date.now() * 1000;

let recorder: TestRecorder;
beforeAll(async () => {
  recorder = await testRecorder(server.dataDir);
  await vi.waitFor(() => expect(server.coordination.mirror.connected()).toBe(true));
});

/** The ring of a sensor as the recorder writes it. */
function ringOf(sensorId: string) {
  const place = join(server.dataDir, 'live', 'ring', sensorId);
  const existing: RingSegment[] = [];
  return {
    last: () => existing.at(-1)!,
    /** One more part, of a new segment where the last one is whole. */
    async grow(count = 1) {
      await mkdir(place, { recursive: true });
      for (let i = 0; i < count; i += 1) {
        const before = existing.at(-1);
        const segment = before && !before.done ? before : fresh(sensorId, (before?.n ?? 99) + 1);
        if (segment !== before) existing.push(segment);
        const at = segment.parts.length;
        segment.parts.push({
          ...{ offset: segment.sizeBytes, sizeBytes: PART_BYTES, durationSeconds: PARTS[at]! },
          independent: at === 0,
        });
        segment.sizeBytes += PART_BYTES;
        segment.durationSeconds += PARTS[at]!;
        segment.done = segment.parts.length === PARTS.length;
        await writeFile(join(place, `${segment.n}.ts`), bytesOf(segment.parts.length));
        recorder.say({ kind: 'ring', segment: structuredClone(segment) });
      }
      await expect.poll(() => server.coordination.mirror.ring(sensorId).at(-1)).toEqual(existing.at(-1));
    },
  };
}

const fresh = (sensorId: string, n: number): RingSegment => ({
  ...{ sensorId, n, startUs: START_US + n * 2e6, firstPtsTicks: 0, durationSeconds: 0, sizeBytes: 0 },
  ...{ discontinuity: false, breaks: 1, done: false, parts: [] },
});

/** Parts whose bytes say which they are. */
const bytesOf = (parts: number) =>
  Buffer.concat(Array.from({ length: parts }, (_, i) => Buffer.alloc(PART_BYTES, 65 + i)));

async function live(requested: Parameters<typeof addPlatform>[1] = {}) {
  const platformId = await addPlatform(db, { usergroups: [groups.G1, groups.G2], ...requested });
  const { EO: sensorId = '' } = await sensorsOf(db, platformId);
  recorder.source(platformId, sensorId);
  return { platformId, sensorId, ring: ringOf(sensorId) };
}

const ask = (who: Subject, sensorId: string, file: string, headers = {}) =>
  server.asUser(who).inject({ method: 'GET', url: `/api/live/${sensorId}/${file}`, headers });

const playlist = async (who: Subject, sensorId: string, query: string) =>
  readPlaylist((await ask(who, sensorId, `index.m3u8?${query}`)).body);

describe('live video by HLS', () => {
  it('answers a playlist that may be begun with, and each of its parts', async () => {
    const { sensorId, ring } = await live();
    await ring.grow(12);

    const answer = await ask('U1', sensorId, 'index.m3u8?mode=ll');

    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'application/vnd.apple.mpegurl',
      'private, no-cache',
    ]);
    const list = readPlaylist(answer.body);
    expect(faultsOf(list)).toEqual([]);
    expect(list.segments.map(({ n, parts }) => [n, parts.length])).toEqual([
      [100, 5],
      [101, 5],
      [102, 2],
    ]);
    const part = await ask('U1', sensorId, '101.ts', { range: `bytes=${PART_BYTES}-${2 * PART_BYTES - 1}` });
    expect([part.statusCode, part.headers['content-range'], part.body]).toEqual([
      206,
      `bytes ${PART_BYTES}-${2 * PART_BYTES - 1}/${5 * PART_BYTES}`,
      'B'.repeat(PART_BYTES),
    ]);
    expect((await ask('U1', sensorId, '102.ts')).body.length).toBe(2 * PART_BYTES);
    expect((await ask('U1', sensorId, '7.ts')).statusCode).toBe(404);
  });

  it('answers a blocking reload when its part is there, and refuses one for what is far away', async () => {
    const { sensorId, ring } = await live();
    await ring.grow(7);

    const waiting = ask('U1', sensorId, 'index.m3u8?mode=ll&_HLS_msn=101&_HLS_part=2');
    await expect.poll(() => server.reads.size()).toBe(1);
    await ring.grow();

    const list = readPlaylist((await waiting).body);
    expect(list.segments.at(-1)).toMatchObject({ n: 101, uri: null });
    expect(list.segments.at(-1)!.parts).toHaveLength(3);
    const far = await ask('U1', sensorId, 'index.m3u8?mode=ll&_HLS_msn=110');
    expect([far.statusCode, far.json().code]).toEqual([400, 'invalid']);
    expect((await ask('U1', sensorId, 'index.m3u8?mode=ll&_HLS_part=1')).statusCode).toBe(400);
    expect(server.reads.size()).toBe(0);
  });

  it('answers a reload whose stream has stopped by the last list, and gives up one whose client is gone', async () => {
    const { sensorId, ring } = await live();
    await ring.grow(5);
    const leave = new AbortController();
    const left = fetch(`${address}/api/live/${sensorId}/index.m3u8?mode=ll&_HLS_msn=101`, {
      headers: server.headersOf('U1'),
      signal: leave.signal,
    });
    await expect.poll(() => server.reads.size()).toBe(1);

    leave.abort();

    await expect(left).rejects.toThrow();
    await expect.poll(() => server.reads.size()).toBe(0);
    const began = performance.now();
    const late = ['index.m3u8?mode=ll&_HLS_msn=101', 'index.m3u8?_HLS_msn=101'].map((file) =>
      ask('U1', sensorId, file),
    );
    for (const answer of await Promise.all(late)) {
      expect(answer.statusCode).toBe(200);
      expect(readPlaylist(answer.body).segments.map(({ n }) => n)).toEqual([100]);
    }
    expect(performance.now() - began).toBeGreaterThan(5900);
  });

  it('sends the part that a playlist named beforehand as soon as it is there', async () => {
    const { sensorId, ring } = await live();
    await ring.grow(6);
    const { hint } = await playlist('U1', sensorId, 'mode=ll');

    const waiting = ask('U1', sensorId, '101.ts', { range: `bytes=${hint!.start}-` });
    await expect.poll(() => server.reads.size()).toBe(1);
    await ring.grow();

    const part = await waiting;
    expect([part.statusCode, part.headers['content-range'], part.body]).toEqual([
      206,
      `bytes ${PART_BYTES}-${2 * PART_BYTES - 1}/*`,
      'B'.repeat(PART_BYTES),
    ]);
    await ring.grow(3);
    const next = ask('U1', sensorId, '102.ts');
    await expect.poll(() => server.reads.size()).toBe(1);
    await ring.grow();
    expect((await next).body).toBe('A'.repeat(PART_BYTES));
  });

  it('is for those who may see the platform, and ends within a second when they may not', async () => {
    const { sensorId, platformId, ring } = await live({ usergroups: [groups.G1], classification: 2 });
    await ring.grow(5);

    const [own, other] = [await ask('U1', sensorId, 'index.m3u8'), await ask('U2', sensorId, 'index.m3u8')];
    expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, no-store']);
    const unknown = await ask('U2', crypto.randomUUID(), 'index.m3u8');
    expect([other.statusCode, other.body]).toEqual([404, unknown.body]);
    expect((await ask('U2', sensorId, '100.ts')).statusCode).toBe(404);

    const waiting = fetch(`${address}/api/live/${sensorId}/index.m3u8?mode=ll&_HLS_msn=101`, {
      headers: server.headersOf('U1'),
    });
    // Looked at from now on: it may end before the right's own change has been answered.
    const cut = expect(waiting).rejects.toThrow();
    await expect.poll(() => server.reads.size()).toBe(1);
    const began = performance.now();
    await db.deleteFrom('platform_usergroups').where('platform_id', '=', platformId).execute();

    await cut;
    expect(performance.now() - began).toBeLessThan(1000);
    expect((await ask('U1', sensorId, '100.ts')).statusCode).toBe(404);
  });

  it('T-119 is hidden during a recording from those who may not see its mission, and rewinds to its start for the others', async () => {
    const { sensorId, platformId, ring } = await live();
    await ring.grow(5);
    expect((await ask('U2', sensorId, 'index.m3u8')).statusCode).toBe(200);
    const waiting = fetch(`${address}/api/live/${sensorId}/index.m3u8?_HLS_msn=101`, {
      headers: server.headersOf('U2'),
    });
    const cut = expect(waiting).rejects.toThrow();
    await expect.poll(() => server.reads.size()).toBe(1);

    const started = await server.asUser('SA').inject({
      method: 'POST',
      url: '/api/platforms/control?command=start',
      payload: { platformName: platformId, record: true, usergroups: [groups.G1], securityClassification: 3 },
    });
    expect(started.statusCode).toBe(200);
    await cut;
    const { missionId, sensors } = [...recorder.recordings.values()].find(
      (one) => one.platform.platformId === platformId,
    )!;
    const recordedId = sensors[0]!.sensorId;
    const { fileId } = recorder.file(missionId, sensorId);
    const bytes = Buffer.concat([Buffer.alloc(376, 'a'), Buffer.alloc(376, 'b')]);
    await server.dependencies.storage.put(`originals/${recordedId}/${fileId}.ts`, [bytes]);
    const segment: RecordedSegment = {
      ...{ missionId, sensorId: recordedId, fileId, n: 0, offset: 0, sizeBytes: 376 },
      ...{ startUs: START_US, durationSeconds: 2, discontinuity: false },
    };
    recorder.say({ kind: 'segment', segment });

    await expect.poll(async () => (await ask('U1', sensorId, 'index.m3u8')).body).toContain(fileId);
    const list = await playlist('U1', sensorId, '');
    expect(faultsOf(list)).toEqual([]);
    expect(list.segments.map(({ uri, bytes: range }) => [uri, range])).toEqual([[`${fileId}-0.ts`, null]]);
    const ranged = await ask('U1', sensorId, `${fileId}-0.ts`, { range: 'bytes=100-' });
    expect([ranged.statusCode, ranged.headers['content-range']]).toEqual([206, 'bytes 100-375/376']);
    expect((await ask('U1', sensorId, `${fileId}-1.ts`)).statusCode).toBe(404);
    const files = ['index.m3u8', 'index.m3u8?mode=ll', '100.ts', `${fileId}-0.ts`];
    for (const file of files) expect((await ask('U2', sensorId, file)).statusCode, file).toBe(404);

    const reload = ask('U1', sensorId, `index.m3u8?_HLS_msn=${list.firstN + 1}`);
    await expect.poll(() => server.reads.size()).toBe(1);
    recorder.say({ kind: 'segment', segment: { ...segment, n: 1, offset: 376, startUs: START_US + 2e6 } });
    expect(readPlaylist((await reload).body).segments).toHaveLength(2);

    recorder.say({ kind: 'ringCut', sensorId, first: 101 });
    recorder.end(missionId, 'stream ended');
    await ring.grow(5);
    await expect.poll(async () => (await ask('U2', sensorId, 'index.m3u8')).statusCode).toBe(200);
    const after = await playlist('U2', sensorId, '');
    expect(after.firstN).toBeGreaterThan(list.firstN + 1);
    expect(after.segments.map(({ uri }) => uri)).toEqual(['101.ts']);
  });

  it.each([
    ['each second', 30],
    ['in each third second, where segments have two', 90],
    ['once, at its start', 1000],
  ])(
    'begins each segment of a recording with the tables of a stream that sends them %s',
    async (_often, everyPictures) => {
      const { sensorId, platformId } = await live();
      const payload = { platformName: platformId, record: true, usergroups: [groups.G1] };
      await server.asUser('SA').inject({ method: 'POST', url: '/api/platforms/control?command=start', payload });
      const { missionId, sensors } = [...recorder.recordings.values()].find(
        (one) => one.platform.platformId === platformId,
      )!;
      const recordedId = sensors[0]!.sensorId;
      const { fileId } = recorder.file(missionId, sensorId);
      const stream = seldomTables(flightStream({ pictures: 600 }), everyPictures);
      await server.dependencies.storage.put(`originals/${recordedId}/${fileId}.ts`, [stream]);
      const places = segmentsIn(stream);
      expect(places).toHaveLength(10);
      for (const [n, place] of places.entries()) {
        const segment = { missionId, sensorId: recordedId, fileId, n, ...place, startUs: START_US + n * 2e6 };
        recorder.say({ kind: 'segment', segment: { ...segment, durationSeconds: 2, discontinuity: false } });
      }
      await expect.poll(() => server.coordination.mirror.segments(fileId).length).toBe(10);

      const list = await playlist('U1', sensorId, '');

      expect(list.segments).toHaveLength(10);
      for (const [n, { uri }] of list.segments.entries()) {
        const { offset, sizeBytes } = places[n]!;
        const lying = stream.subarray(offset, offset + sizeBytes);
        const answer = await ask('U1', sensorId, uri!);
        const bytes = answer.rawPayload;
        expect(tableFaults(bytes), uri!).toEqual([]);
        const added = bytes.length - lying.length;
        expect([0, 376]).toContain(added);
        // The bytes as stored, and nothing added if they begin with tables.
        expect(bytes.subarray(added).equals(lying)).toBe(true);
        expect(added).toBe(tableFaults(lying).length === 0 ? 0 : 376);
        expect(Number(answer.headers['content-length'])).toBe(bytes.length);
        for (const [from, to] of [
          [0, 187],
          [188, 1127],
          [376, 939],
        ] as const) {
          const part = await ask('U1', sensorId, uri!, { range: `bytes=${from}-${to}` });
          expect([part.statusCode, part.headers['content-range']]).toEqual([
            206,
            `bytes ${from}-${to}/${bytes.length}`,
          ]);
          expect(part.rawPayload.equals(bytes.subarray(from, to + 1))).toBe(true);
        }
      }
      recorder.end(missionId, 'stream ended');
    },
  );

  it('sends who stays what is new of a long recording alone, and packs the whole of it', async () => {
    const { sensorId, platformId } = await live();
    const started = await server.asUser('SA').inject({
      method: 'POST',
      url: '/api/platforms/control?command=start',
      payload: { platformName: platformId, record: true, usergroups: [groups.G1] },
    });
    expect(started.statusCode).toBe(200);
    const { missionId, sensors } = [...recorder.recordings.values()].find(
      (one) => one.platform.platformId === platformId,
    )!;
    const { fileId } = recorder.file(missionId, sensorId);
    const grow = (from: number, to: number) => {
      for (let n = from; n < to; n += 1) {
        const segment = { missionId, sensorId: sensors[0]!.sensorId, fileId, n, offset: n * 376, sizeBytes: 376 };
        const startUs = START_US + n * 2e6;
        recorder.say({ kind: 'segment', segment: { ...segment, startUs, durationSeconds: 2, discontinuity: false } });
      }
      return expect.poll(() => server.coordination.mirror.segments(fileId).length).toBe(to);
    };
    await grow(0, 300);
    await expect.poll(async () => (await ask('U1', sensorId, 'index.m3u8')).statusCode).toBe(200);

    const packed = await ask('U1', sensorId, 'index.m3u8', { 'accept-encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    const complete = readPlaylist(gunzipSync(packed.rawPayload).toString());
    const waiting = ask('U1', sensorId, `index.m3u8?_HLS_msn=${complete.firstN + 300}&_HLS_skip=YES`);
    await expect.poll(() => server.reads.size()).toBe(1);
    await grow(300, 301);

    const answer = await waiting;
    const delta = readPlaylist(answer.body);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect([faultsOf(complete), faultsOf(delta), delta.skipped, delta.segments.length]).toEqual([[], [], 289, 12]);
    const next = joined(complete, delta);
    expect(faultsBetween(complete, next)).toEqual([]);
    expect(next.segments).toEqual((await playlist('U1', sensorId, '')).segments);
    // A client that has none of it gets all of it, as does one that does not ask for less.
    for (const query of [
      `_HLS_msn=${complete.firstN}&_HLS_skip=YES`,
      `_HLS_msn=${complete.firstN + 300}`,
      '_HLS_skip=YES',
    ])
      expect((await playlist('U1', sensorId, query)).segments, query).toHaveLength(301);
    recorder.end(missionId, 'stream ended');
  });

  it('T-103 leaves a row with its label when a viewer begins to watch, and without one is for UNCLASSIFIED alone', async () => {
    const [secret, plain] = [await live({ classification: 3 }), await live()];
    for (const { ring } of [secret, plain]) await ring.grow(5);
    const files = ['index.m3u8?mode=ll', '100.ts'];
    const read = async (who: Subject, { sensorId }: typeof secret) => {
      const statuses: number[] = [];
      for (const file of files) statuses.push((await ask(who, sensorId, file)).statusCode);
      return statuses;
    };

    const seen = await read('U1', secret);
    const [refused, open] = await withoutAudit(db, async () => [await read('SA', secret), await read('SA', plain)]);

    expect([seen, refused, open, await read('SA', secret)]).toEqual([
      [200, 200],
      [503, 503],
      [200, 200],
      [200, 200],
    ]);
    const rows = await db.selectFrom('audit').select('result').where('item_id', '=', secret.platformId).execute();
    expect(rows.map(({ result }) => result)).toEqual(Array(2).fill(`sensor ${secret.sensorId}`));
    expect(await notedOf(db, secret.platformId)).toEqual([
      [server.userId('U1'), 'media.begin', 3],
      [server.userId('SA'), 'media.begin', 3],
    ]);
  });

  it('leaves a row at the end that names the parts that were watched', async () => {
    const { sensorId, platformId, ring } = await live({ classification: 2 });
    await ring.grow(12);

    // The second and third part.
    await ask('U1', sensorId, '100.ts', { range: `bytes=${PART_BYTES}-${3 * PART_BYTES - 1}` });
    await ask('U1', sensorId, '102.ts');
    await server.close();

    const rows = db.selectFrom('audit').select('result').where('item_id', '=', platformId);
    const [seen] = await rows.where('action', '=', 'media.end').execute();
    const [fromUs, toUs] = [START_US + 100 * 2e6 + 0.44e6, START_US + 102 * 2e6 + 2 * 0.44e6];
    const times = [fromUs, toUs].map((us) => new Date(us / 1000).toISOString()).join('/');
    expect(seen?.result).toBe(`sensor ${sensorId}; ${4 * PART_BYTES} bytes; ${times}`);
  });
});

const packetsOf = (stream: Buffer) =>
  Array.from({ length: stream.length / 188 }, (_, i) => stream.subarray(i * 188, (i + 1) * 188));

/** The stream with its tables at the start, and then only every `everyPictures` pictures. */
function seldomTables(stream: Buffer, everyPictures: number): Buffer {
  let pictures = 0;
  let dueAt = 0;
  const retained = packetsOf(stream).filter((packet) => {
    const pid = packet.readUInt16BE(1) & 0x1fff;
    if (pid === 256 && (packet[1]! & 0x40) !== 0) pictures += 1;
    if (pid >= 256 && pid < 4096) return true;
    if (pid === 0) return pictures >= dueAt;
    const isDue = pictures >= dueAt;
    if (isDue) dueAt = pictures + everyPictures;
    return isDue;
  });
  return Buffer.concat(retained);
}

/** Positions of its segments of two seconds, from key frame to key frame as a recorder has them. */
function segmentsIn(stream: Buffer): { offset: number; sizeBytes: number }[] {
  const starts: number[] = [];
  let pictures = 0;
  for (const [i, packet] of packetsOf(stream).entries()) {
    if ((packet.readUInt16BE(1) & 0x5fff) !== 0x4100) continue;
    if (pictures % 60 === 0) starts.push(pictures === 0 ? 0 : i * 188);
    pictures += 1;
  }
  return starts.map((offset, n) => ({ offset, sizeBytes: (starts[n + 1] ?? stream.length) - offset }));
}
