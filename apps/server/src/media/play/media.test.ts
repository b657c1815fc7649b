import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as contract from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastestMs } from '../../../test/fastest.ts';
import { recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';

/** Factor of the limits: `npm run soak` has the machine for itself. */
const slack = process.env.OSPREY_FIGURES ? 1 : 3;
const DOWNLOAD_BYTES = Number(process.env.OSPREY_DOWNLOAD_BYTES ?? 64 * 1024 * 1024);

/** `wallMs`: the step of the wall clock alone, as when an administrator sets it. */
const clock = { offsetMs: 0, wallMs: 0 };
const server = await recordingServer({
  jobs: ['ingest', 'thumbnails'],
  clock: {
    nowMs: () => performance.now() + clock.offsetMs,
    nowUs: () => (Date.now() + clock.offsetMs + clock.wallMs) * 1000,
  },
});
const { db } = server;
const groups: Record<string, string> = server.groups;
const folder = await mkdtemp(join(tmpdir(), 'osprey-media-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Played = { missionId: string; sensorId: string; fileId: string; bytes: Buffer };
let M2: Played;
let M4: Played;

async function recordedAs(name: string, sharing: object): Promise<Played> {
  const path = join(folder, `${name}.ts`);
  await simulateToFile({ seconds: 5, width: 320, height: 180, seed: name.length }, path);
  const { mission } = await server.record({ name, ...sharing }, [{ path }]);
  const sensor = mission.sensors[0]!;
  const bytes = await readFile(path);
  return { missionId: mission._id, sensorId: sensor._id, fileId: sensor.assets[0]!._id, bytes };
}

beforeAll(async () => {
  M2 = await recordedAs('M2', {
    securityClassification: 'CONFIDENTIAL',
    audience: 'groups',
    usergroups: [groups.G1],
  });
  M4 = await recordedAs('M4', { securityClassification: 'UNCLASSIFIED', audience: 'everyone' });
}, 120_000);

const playlistUrl = ({ sensorId }: Played) => `/api/media/${sensorId}/index.m3u8`;
const fileUrl = ({ sensorId, fileId }: Played) => `/api/media/${sensorId}/${fileId}.ts`;
const get = (who: Subject, url: string, headers: Record<string, string> = {}) => server.ask(who).get(url, headers);

/** With the token alone, as a player without our cookie. */
const withToken = (url: string, token: string) => server.inject({ url: `${url}?token=${encodeURIComponent(token)}` });

async function tokenOf(who: Subject, { missionId }: Played): Promise<string> {
  return (await server.ask(who).get<contract.Mission>(`/api/missions/${missionId}`)).body.accessToken!;
}

describe('playlist', () => {
  it('names byte ranges of the original that join to the whole file', async () => {
    const { status, body, headers } = await server.ask('U1').get<string>(playlistUrl(M4));

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/vnd.apple.mpegurl');
    const ranges = [...body.matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)\n(\S+)/g)];
    expect(ranges.map(([, , , name]) => name)).toEqual(ranges.map(() => `${M4.fileId}.ts`));
    const joined = createHash('sha256');
    for (const [, size, offset] of ranges) {
      const [start, length] = [Number(offset), Number(size)];
      const part = await get('U1', fileUrl(M4), { range: `bytes=${start}-${start + length - 1}` });
      expect(part.status).toBe(206);
      joined.update(part.raw);
    }
    expect(joined.digest('hex')).toBe(createHash('sha256').update(M4.bytes).digest('hex'));
    expect(body).toMatch(/^#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:3\n/);
    expect(body).toMatch(/#EXT-X-PROGRAM-DATE-TIME:2026-06-01T09:00:00\.000Z\n/);
    expect(body).toMatch(/#EXT-X-ENDLIST\n$/);
  });

  it('carries the token into every address, and each opens with it alone', async () => {
    const token = await tokenOf('U1', M2);

    const playlist = await withToken(playlistUrl(M2), token);

    expect(playlist.statusCode).toBe(200);
    const addresses = playlist.body.split('\n').filter((line) => line.includes('.ts'));
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) {
      const answer = await server.inject({
        url: `/api/media/${M2.sensorId}/${address}`,
        headers: { range: 'bytes=0-187' },
      });
      expect(answer.statusCode).toBe(206);
    }
  });
});

describe('tokens', () => {
  it('T-065 open nothing but the media of their mission, session and time', async () => {
    const token = await tokenOf('U1', M4);
    const changed = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`;

    expect((await withToken(playlistUrl(M4), token)).statusCode).toBe(200);
    expect((await withToken(playlistUrl(M2), token)).statusCode).toBe(404);
    expect((await withToken(`/api/missions/${M4.missionId}`, token)).statusCode).toBe(401);
    expect((await withToken(`/api/sensors/timeline/${M4.missionId}/${M4.sensorId}`, token)).statusCode).toBe(401);
    expect((await withToken(playlistUrl(M4), changed)).statusCode).toBe(401);
    const other = await server.asUser('U0').inject({ url: `${playlistUrl(M4)}?token=${encodeURIComponent(token)}` });
    expect(other.statusCode).toBe(401);
    clock.offsetMs += 5 * 60_000 + 1000;
    expect((await withToken(playlistUrl(M4), token)).statusCode).toBe(401);
  });

  it('T-083 stay expired where the wall clock is set back', async () => {
    const token = await tokenOf('U1', M4);
    clock.offsetMs += 5 * 60_000 + 1000;

    clock.wallMs = -3_600_000;
    const { statusCode } = await withToken(playlistUrl(M4), token);
    clock.wallMs = 0;

    expect(statusCode).toBe(401);
  });

  it('T-066 play two hours on, renewed before they end', async () => {
    for (let minutes = 0; minutes < 120; minutes += 4) {
      const token = await tokenOf('U1', M2);
      const url = `${fileUrl(M2)}?token=${encodeURIComponent(token)}`;
      const ask = () => server.inject({ url, headers: { range: 'bytes=0-9999' } });

      expect((await ask()).statusCode).toBe(206);
      expect(await fastestMs(ask, 3)).toBeLessThan(600);
      clock.offsetMs += 4 * 60_000;
    }
  });
});

describe('rights', () => {
  it('T-067 refuses every kind of media address without a credential, and hides it from those who may not know', async () => {
    const { missionId, sensorId, fileId } = M2;
    const sheets = `/api/sensors/sheets/${missionId}/${sensorId}`;
    const addresses: Record<string, string> = {
      '/media/:sensorId/index.m3u8': playlistUrl(M2),
      '/media/:sensorId/:file': fileUrl(M2),
      '/media/:sensorId/:fileId/:segment': `/api/media/${sensorId}/${fileId}/0.ts`,
      '/videos/:mission/:thumbnail': `/api/videos/${missionId}/${sensorId}.jpg`,
      '/sensors/timeline/:mission/:sensor': `/api/sensors/timeline/${missionId}/${sensorId}`,
      '/sensors/telemetry/:mission/:sensor': `/api/sensors/telemetry/${missionId}/${sensorId}`,
      '/sensors/telemetry-set/:mission/:sensor': `/api/sensors/telemetry-set/${missionId}/${sensorId}?time=0`,
      '/sensors/framecenterpoints/:mission/:sensor': `/api/sensors/framecenterpoints/${missionId}/${sensorId}`,
      '/sensors/path/:mission/:sensor': `/api/sensors/path/${missionId}/${sensorId}`,
      '/sensors/klv-health/:mission/:sensor': `/api/sensors/klv-health/${missionId}/${sensorId}`,
      '/sensors/pictures/:mission/:sensor': `/api/sensors/pictures/${missionId}/${sensorId}`,
      '/sensors/sheets/:mission/:sensor': sheets,
      '/media/:sensorId/sheets/:sheet': (await server.ask('U1').get<contract.PictureSheet[]>(sheets)).body[0]!.url,
      '/missions/area/:mission': `/api/missions/area/${missionId}`,
      '/missions/:mission': `/api/missions/${missionId}`,
      '/sensors': `/api/sensors?missionIdOrName=${missionId}`,
      '/snapshots': `/api/snapshots?missionIdOrName=${missionId}`,
    };
    const known = (Object.values(contract) as unknown[])
      .filter(
        (one): one is contract.Call => typeof one === 'object' && one !== null && 'action' in one && 'path' in one,
      )
      .filter(({ method, action }) => method === 'GET' && action === 'mission.read')
      .map(({ path }) => path);

    expect(Object.keys(addresses).sort()).toEqual(known.sort());
    for (const [path, url] of Object.entries(addresses)) {
      expect((await server.inject({ url })).statusCode, path).toBe(401);
      expect((await get('U0', url)).status, path).toBe(404);
      expect((await get('U1', url)).status, path).toBe(200);
    }
    expect((await server.inject({ url: `/videos/${missionId}/${sensorId}.jpg` })).statusCode).toBe(401);
  });

  it('T-031 the next segment after a lost right is not there', async () => {
    expect((await get('U1', fileUrl(M2), { range: 'bytes=0-187' })).status).toBe(206);

    await db.updateTable('users').set({ clearance: 2 }).where('id', '=', server.userId('U1')).execute();
    const next = async () => (await get('U1', fileUrl(M2), { range: 'bytes=188-375' })).status;
    await expect.poll(next, { timeout: 1000, interval: 20 }).toBe(404);
    await db.updateTable('users').set({ clearance: 3 }).where('id', '=', server.userId('U1')).execute();
    await expect.poll(next).toBe(206);
  });

  it('T-115 a token ends with the group and with the role that it was made under', async () => {
    const ofU1 = { user_id: server.userId('U1'), usergroup_id: groups.G1! };
    const setRole = (role: 'user' | 'groupAdmin') =>
      db.updateTable('users').set({ role }).where('id', '=', ofU1.user_id).execute();
    const changes = [
      [
        () =>
          db
            .deleteFrom('user_usergroups')
            .where('user_id', '=', ofU1.user_id)
            .where('usergroup_id', '=', groups.G1!)
            .execute(),
        () => db.insertInto('user_usergroups').values(ofU1).execute(),
      ],
      [() => setRole('groupAdmin'), () => setRole('user')],
    ] as const;
    for (const [change, changeBack] of changes) {
      const token = await tokenOf('U1', M2);
      const status = async () => (await withToken(playlistUrl(M2), token)).statusCode;
      await expect.poll(status).toBe(200);

      await change();
      await expect.poll(status, { timeout: slack * 1000, interval: 20 }).toBe(401);
      await changeBack();
      await expect.poll(async () => (await withToken(playlistUrl(M2), await tokenOf('U1', M2))).statusCode).toBe(200);
      expect(await status()).toBe(401);
    }
  });

  it('T-033 a download ends when the label rises above its reader', async () => {
    const { storage_key: key } = await db
      .selectFrom('files')
      .select('storage_key')
      .where('id', '=', M4.fileId)
      .executeTakeFirstOrThrow();
    const part = Buffer.alloc(16 * 1024 * 1024);
    await server.dependencies.storage.put(key, Array(DOWNLOAD_BYTES / part.length).fill(part));
    await db.updateTable('files').set({ size_bytes: DOWNLOAD_BYTES }).where('id', '=', M4.fileId).execute();
    const address = await server.listen();
    const controller = new AbortController();
    const answer = await fetch(`${address}${fileUrl(M4)}`, {
      headers: server.headersOf('U1'),
      signal: controller.signal,
    });
    const reader = answer.body!.getReader();
    let received = (await reader.read()).value!.byteLength;

    await db.updateTable('missions').set({ classification: 4 }).where('id', '=', M4.missionId).execute();
    const begun = performance.now();
    await expect.poll(() => server.reads.size(), { timeout: slack * 1000 }).toBe(0);
    expect(performance.now() - begun).toBeLessThan(slack * 1000);
    const rest = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) received += next.value.byteLength;
    })();
    await expect(rest).rejects.toThrow();

    expect(received).toBeLessThan(DOWNLOAD_BYTES);
    controller.abort();
    await server.dependencies.storage.put(key, [M4.bytes]);
    await db.updateTable('files').set({ size_bytes: M4.bytes.length }).where('id', '=', M4.fileId).execute();
    await db.updateTable('missions').set({ classification: 1 }).where('id', '=', M4.missionId).execute();
  });

  it('T-069 nothing above UNCLASSIFIED stays in a cache', async () => {
    const cache = new Map<string, Buffer>();
    /** A proxy that keeps what it may. */
    async function through(who: Subject, url: string) {
      const retained = cache.get(url);
      if (retained) return { status: 200, raw: retained };
      const answer = await get(who, url);
      const may = !/no-store|private/.test(String(answer.headers['cache-control']));
      if (answer.status === 200 && may) cache.set(url, answer.raw);
      return answer;
    }

    const first = await get('U1', fileUrl(M2));
    expect(first.headers['cache-control']).toBe('private, no-store');
    expect((await through('U1', fileUrl(M2))).status).toBe(200);
    expect((await through('U0', fileUrl(M2))).status).toBe(404);
  });

  it('T-103 a read above UNCLASSIFIED is in the audit, one row for each viewing', async () => {
    const rowsOf = (missionId: string) =>
      db
        .selectFrom('audit')
        .select(['actor_id', 'item_label', 'action'])
        .where('item_id', '=', missionId)
        .where('action', '=', 'media.begin')
        .execute();
    const before = (await rowsOf(M2.missionId)).length;

    for (let n = 0; n < 5; n += 1) await get('GA', fileUrl(M2), { range: `bytes=${n}-${n}` });
    await get('U1', playlistUrl(M4));

    const rows = (await rowsOf(M2.missionId)).slice(before);
    expect(rows).toEqual([{ actor_id: server.userId('GA'), item_label: 3, action: 'media.begin' }]);
    // A read of UNCLASSIFIED does not wait for its row, but has one for the user activity.
    const watched = { actor_id: server.userId('U1'), item_label: 1, action: 'media.begin' };
    await expect.poll(() => rowsOf(M4.missionId)).toContainEqual(watched);
  });
});

describe('T-070 ranges', () => {
  const size = () => M4.bytes.length;
  const many = `bytes=${Array.from({ length: 1000 }, (_, n) => `${n}-`).join(',')}`;

  it.each([
    ['none', undefined, 200],
    ['one', 'bytes=10-19', 206],
    ['an open end', 'bytes=10-', 206],
    ['the last bytes', 'bytes=-500', 206],
    ['more than there are from the end', 'bytes=-99999999999', 206],
    ['an end beyond the file', 'bytes=0-99999999999', 206],
    ['1,000 that overlap', many, 416],
    ['beyond the end', 'bytes=99999999999-', 416],
    ['nothing from the end', 'bytes=-0', 416],
    ['a start behind its end', 'bytes=20-10', 200],
    ['negative numbers', 'bytes=--5', 200],
    ['another unit', 'lines=0-1', 200],
    ['nonsense', 'bytes=abc', 200],
  ])('%s', async (_what, range, status) => {
    const begun = process.cpuUsage();
    const answer = await get('U1', fileUrl(M4), range === undefined ? {} : { range });
    const { user } = process.cpuUsage(begun);

    expect(answer.status).toBe(status);
    if (status !== 416) expect(answer.raw.length).toBeLessThanOrEqual(size());
    if (status === 200) expect(answer.raw.equals(M4.bytes)).toBe(true);
    if (status === 206) {
      const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(answer.headers['content-range']))!;
      expect(Number(total)).toBe(size());
      expect(answer.raw.equals(M4.bytes.subarray(Number(start), Number(end) + 1))).toBe(true);
    }
    if (status === 416) expect(answer.headers['content-range']).toBe(`bytes */${size()}`);
    // 100 ms on the reference machine.
    expect(user / 1000).toBeLessThan(300);
  });

  it('answers HEAD with the length and no bytes', async () => {
    const answer = await server.asUser('U1').inject({ method: 'HEAD', url: fileUrl(M4) });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-length']).toBe(String(size()));
    expect(answer.rawPayload.length).toBe(0);
  });
});

describe('pictures', () => {
  it('shows the sensor and moments along it, by names of this server alone', async () => {
    const own = (await server.ask('U1').get<contract.Mission>(`/api/missions/${M4.missionId}`)).body;

    const picture = await get('U1', `/api${own.thumbnail}`);

    expect(picture.status).toBe(200);
    expect(picture.headers['content-type']).toBe('image/jpeg');
    expect(picture.raw.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    const along = await server
      .ask('U1')
      .get<{ time: number; url: string }[]>(`/api/sensors/pictures/${M4.missionId}/${M4.sensorId}`);
    expect(along.body).toHaveLength(1);
    expect((await get('U1', `/api${along.body[0]!.url}`)).status).toBe(200);
    const [sheet] = (
      await server.ask('U1').get<contract.PictureSheet[]>(`/api/sensors/sheets/${M4.missionId}/${M4.sensorId}`)
    ).body;
    expect(sheet!.times).toEqual(along.body.map(({ time }) => time));
    const joined = await get('U1', sheet!.url);
    expect(await sharp(joined.raw).metadata()).toMatchObject({ format: 'jpeg', width: 960, height: sheet!.height });
    expect((await get('U1', sheet!.url.replace(M4.sensorId, M2.sensorId))).status).toBe(404);
    // A picture of another mission cannot be read at this one's address.
    expect((await get('U1', `/api/videos/${M4.missionId}/${M2.sensorId}.jpg`)).status).toBe(404);
    expect((await get('U1', `/api/videos/${M4.missionId}/${M4.sensorId}-9.jpg`)).status).toBe(404);
  });
});
