import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentRow, SensorTimeline, SnapshotMark, SnapshotMoment } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import exifReader from 'exif-reader';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notedOf } from '../../../test/audit.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { overlaysKey } from '../../base/storage/snapshot-overlays.ts';

const server = await recordingServer({ jobs: ['ingest', 'document'] });
const { ask, db, groups } = server;
const folder = await mkdtemp(join(tmpdir(), 'osprey-snapshots-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const flight = join(folder, 'flight.ts');
const START_US = Date.UTC(2026, 0, 1, 12) * 1000;
const size = { width: 320, height: 180 };

beforeAll(async () => {
  await simulateToFile({ ...size, fps: 15, seconds: 4, startUs: START_US }, flight);
});

const solid = (background: string, side = size) =>
  sharp({ create: { ...side, channels: 3, background } })
    .jpeg()
    .toBuffer();
const dataUrl = (bytes: Buffer, type = 'jpeg') => `data:image/${type};base64,${bytes.toString('base64')}`;

async function recorded(name: string, fields: object = {}) {
  const { mission } = await server.record({ name, audience: 'groups', usergroups: [groups.G1], ...fields }, [
    { path: flight },
  ]);
  const sensor = mission.sensors[0]!;
  const timeline = await ask('SA').get<SensorTimeline>(`/api/sensors/timeline/${mission._id}/${sensor._id}`);
  return { mission, sensor, start: timeline.body.startTime };
}

type Refused = { code?: string };

const requested = (missionName: string, timestamp: number, fields: object = {}) => ({
  missionName,
  sensorName: 'EO/IR',
  title: 'A ferry',
  timestamp,
  audience: 'groups',
  usergroups: [groups.G1],
  ...fields,
});
const take = (who: 'SA' | 'A2' | 'GA' | 'U1' | 'U2' | 'guest', body: object) =>
  ask(who).post<DocumentRow & Refused>('/api/snapshots', body);
const momentOf = (id: string) => ask('SA').get<SnapshotMoment>(`/api/snapshots/${id}/moment`);

describe('a snapshot of a recording', () => {
  it('keeps the frame that the server decodes, with its place, its telemetry and its hash, whatever the browser sent', async () => {
    const { mission, sensor, start } = await recorded('OSP-snap-1');
    const sent = await solid('#ff0000');

    const { status, body } = await take('U1', {
      ...requested('OSP-snap-1', start + 2_000_000, { tags: ['ferry'], snapshotDataUrl: dataUrl(sent) }),
      description: 'Leaves the harbour',
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ title: 'A ferry', documentType: 'Image', snapshot: 'server', content: 'jpeg', tags: ['ferry'] },
      ...{ securityClassification: 'UNCLASSIFIED', audience: 'groups', usergroups: [groups.G1] },
    });
    expect(body.geometry?.type).toBe('Polygon');
    const { body: moment } = await momentOf(body._id);
    expect(moment).toMatchObject({
      mission: { _id: mission._id },
      sensor: { _id: sensor._id },
      shown: true,
      picture: 'server',
    });
    // The frame on screen at that time: at most one frame earlier.
    expect(start + 2_000_000 - moment.time).toBeGreaterThanOrEqual(0);
    expect(start + 2_000_000 - moment.time).toBeLessThan(1_000_000 / 15);
    expect(moment.telemetry!.time).toBeLessThanOrEqual(moment.time);
    expect(moment.telemetry!.values).toMatchObject({ 13: expect.any(Number), 14: expect.any(Number) });
    expect(moment.telemetry!.hex).toMatch(/^060e2b34/);

    const { raw } = await ask('U1').get(`/api/documents/${body._id}/content`);
    const picture = sharp(raw);
    expect(await picture.metadata()).toMatchObject({ format: 'jpeg', ...size });
    const { channels } = await picture.stats();
    expect(channels[0]!.mean, 'not the red picture of the browser').toBeLessThan(220);
  });

  it('has the middle of its frame as a place in each download, whose sum the document says', async () => {
    const { start } = await recorded('OSP-snap-11');
    const { body } = await take('U1', requested('OSP-snap-11', start + 2_000_000));
    const { values } = (await momentOf(body._id)).body.telemetry!;
    const address = `/api/documents/${body._id}`;

    const { raw } = await ask('U1').get(`${address}/content`);

    const { body: shown } = await ask('U1').get<DocumentRow & { downloadSha256: string }>(address);
    expect(shown.downloadSha256).toBe(createHash('sha256').update(raw).digest('hex'));
    expect(shown.downloadSha256).not.toBe(shown.sha256);
    const { exif, xmp } = await sharp(raw).metadata();
    const { GPSInfo: gps } = exifReader(exif!);
    const degrees = ([whole, minutes, seconds]: number[]) => whole! + minutes! / 60 + seconds! / 3600;
    const sign = (half: string | undefined) => (half === 'S' || half === 'W' ? -1 : 1);
    expect(sign(gps!.GPSLatitudeRef) * degrees(gps!.GPSLatitude!)).toBeCloseTo(Number(values[23]), 6);
    expect(sign(gps!.GPSLongitudeRef) * degrees(gps!.GPSLongitude!)).toBeCloseTo(Number(values[24]), 6);
    const [, whole, minutes] = /exif:GPSLatitude="(\d+),([\d.]+)[NS]"/.exec(xmp!.toString())!;
    expect(Number(whole) + Number(minutes) / 60).toBeCloseTo(Math.abs(Number(values[23])), 6);
    for (const options of ['strip=true', 'overlays=false']) {
      const other = await sharp((await ask('U1').get(`${address}/content?${options}`)).raw).metadata();
      expect(exifReader(other.exif!).GPSInfo, options).toEqual(gps);
    }
  });

  it('keeps a picture with overlays as a second one, which says so, and goes with it', async () => {
    const { start } = await recorded('OSP-snap-10');
    const at = requested('OSP-snap-10', start + 1_000_000);
    const broken = { ...at, overlaysDataUrl: dataUrl(Buffer.from('no picture')) };
    expect((await take('U1', broken)).body).toMatchObject({ code: 'badFile' });
    const { body } = await take('U1', { ...at, overlaysDataUrl: dataUrl(await solid('#ff0000')) });

    expect(body).toMatchObject({ snapshot: 'server', overlays: true });
    const content = `/api/documents/${body._id}/content`;
    const meanRed = async (address: string) =>
      (await sharp((await ask('U1').get(address)).raw).stats()).channels[0]!.mean;
    expect(await meanRed(content), 'the picture of the recording is the first').toBeLessThan(220);
    expect(await meanRed(`${content}?overlays=true`)).toBeGreaterThan(240);
    expect(await meanRed(`/api/documents/${body._id}/pages/2`)).toBeGreaterThan(240);
    expect((await ask('U1').get(`/api/documents/${body._id}/pages/3`)).status).toBe(404);
    const { raw, headers } = await ask('U1').get(`${content}?overlays=true&strip=true`);
    expect(raw.includes('picture with overlays, drawn by the browser')).toBe(true);
    expect(raw.includes('UNCLASSIFIED')).toBe(true);
    expect(headers['content-disposition']).toContain('A ferry with overlays.jpg');

    const key = overlaysKey(body._id);
    const { sha256 } = await server.dependencies.storage.put(`${key}.copy`, server.dependencies.storage.read(key));
    expect((await momentOf(body._id)).body.overlaysSha256).toBe(sha256);
    const { storage } = server.dependencies;
    await storage.put(key, [Buffer.from('rotten')]);
    expect((await ask('U1').get(`${content}?overlays=true`)).body).toMatchObject({ code: 'badFile' });
    await storage.remove(key);
    expect((await ask('U1').get(`${content}?overlays=true`)).body).toMatchObject({ code: 'badFile' });

    const { body: without } = await take('U1', at);
    expect(without.overlays).toBe(false);
    expect((await ask('U1').get(`/api/documents/${without._id}/content?overlays=true`)).status).toBe(404);
    expect((await ask('U1').get(`/api/documents/${without._id}/pages/2`)).status).toBe(404);
  });

  it('moves with its frame when the sensor is shifted, and says so when its file is removed', async () => {
    const { sensor, start } = await recorded('OSP-snap-2');
    const { body } = await take('U1', requested('OSP-snap-2', start + 1_000_000));
    const before = (await momentOf(body._id)).body;

    await ask('SA').post(`/api/sensors/${sensor._id}/shift`, { shift: 5_000_000 });
    expect((await momentOf(body._id)).body).toMatchObject({ shown: true, time: before.time + 5_000_000 });
    const marks = await ask('U1').get<SnapshotMark[]>('/api/snapshots?missionIdOrName=OSP-snap-2');
    expect(marks.body).toMatchObject([
      { _id: body._id, title: 'A ferry', sensor: 'EO/IR', time: before.time + 5_000_000 },
    ]);

    const file = await db
      .selectFrom('files')
      .select('id')
      .where('sensor_id', '=', sensor._id)
      .executeTakeFirstOrThrow();
    await ask('SA').delete(`/api/sensors/${sensor._id}/files/${file.id}`);
    await server.work();
    expect((await momentOf(body._id)).body).toMatchObject({ shown: false, time: before.time });
  });

  it('takes the picture of the browser where the server has none, made again, and marks it so', async () => {
    const { mission, start } = await recorded('OSP-snap-3');
    const noise = dataUrl(await solid('#00ff00'));
    const outside = requested('OSP-snap-3', start + 60_000_000);

    expect((await take('U1', outside)).body).toMatchObject({ code: 'badFile' });
    const { status, body } = await take('U1', { ...outside, snapshotDataUrl: noise });
    expect(status).toBe(200);
    expect(body).toMatchObject({ snapshot: 'browser', geometry: null });
    expect((await momentOf(body._id)).body).toMatchObject({
      mission: { _id: mission._id },
      shown: false,
      telemetry: null,
    });
  });

  it('T-063 refuses data URLs of another kind, broken pictures, and pictures of more than 8192 pixels on a side', async () => {
    const { start } = await recorded('OSP-snap-4');
    const at = requested('OSP-snap-4', start + 60_000_000);
    const refused = [
      'data:text/html;base64,PGI+',
      'data:image/svg+xml;base64,PHN2Zy8+',
      'data:image/jpeg,plain',
      'http://127.0.0.1/a.jpg',
      'file:///etc/passwd',
      `data:image/png;base64,${'A'.repeat(11_200_000)}`,
    ];
    for (const snapshotDataUrl of refused) {
      const { status } = await take('U1', { ...at, snapshotDataUrl });
      expect(status, snapshotDataUrl.slice(0, 40)).toBe(400);
    }
    const broken = dataUrl(Buffer.from('no picture at all'));
    expect((await take('U1', { ...at, snapshotDataUrl: broken })).body).toMatchObject({ code: 'badFile' });
    const wide = await sharp({ create: { width: 8200, height: 10, channels: 3, background: '#000000' } })
      .png()
      .toBuffer();
    expect((await take('U1', { ...at, snapshotDataUrl: dataUrl(wide, 'png') })).body).toMatchObject({
      code: 'badFile',
    });
    const left = await db.selectFrom('documents').select('id').where('title', '=', 'nothing').execute();
    expect(left).toEqual([]);
  });

  it('is made by users and above who may read the mission, within its label and audience', async () => {
    const { mission, start } = await recorded('OSP-snap-5', { securityClassification: 'CONFIDENTIAL' });
    const at = requested('OSP-snap-5', start + 1_000_000);

    expect((await take('guest', at)).status).toBe(403);
    expect((await take('U2', at)).status).toBe(404);
    expect((await take('U1', { ...at, securityClassification: 1 })).body).toMatchObject({ code: 'labelBelowMission' });
    expect((await take('U1', { ...at, audience: 'everyone', usergroups: [] })).body).toMatchObject({
      code: 'widerThanMission',
    });
    expect((await take('U1', { ...at, restricted: true })).status).toBe(403);
    const { status, body } = await take('U1', at);
    expect([status, body.securityClassification, body.restricted]).toEqual([200, 'CONFIDENTIAL', false]);
    expect((await take('GA', { ...at, restricted: true })).body).toMatchObject({ restricted: true });
    const noted = (await notedOf(db, mission._id)).map(([, action]) => action);
    expect(noted.filter((action) => action === 'snapshot.create').length).toBeGreaterThan(0);
  });

  it('rises with its mission, loses the audience that the mission loses, and cannot be lowered below it', async () => {
    const { mission, start } = await recorded('OSP-snap-6', { audience: 'everyone', usergroups: [] });
    const { body } = await take(
      'SA',
      requested('OSP-snap-6', start + 1_000_000, { audience: 'everyone', usergroups: [] }),
    );
    const change = (fields: object) =>
      ask('SA').put('/api/missions', { _id: mission._id, name: mission.name, ...fields });
    const now = async () => (await ask('SA').get<DocumentRow>(`/api/documents/${body._id}`)).body;

    expect((await change({ securityClassification: 'RESTRICTED' })).status).toBe(200);
    expect(await now()).toMatchObject({ securityClassification: 'RESTRICTED', audience: 'everyone' });
    expect((await change({ audience: 'groups', usergroups: [groups.G1] })).status).toBe(200);
    expect(await now()).toMatchObject({ audience: 'groups', usergroups: [groups.G1] });
    expect((await ask('U2').get(`/api/documents/${body._id}`)).status).toBe(404);

    const lower = { securityClassification: 1, reason: 'It shows the sea alone.' };
    const { revision } = await now();
    const refused = await ask('SA').put<Refused>(`/api/documents/${body._id}`, { revision, ...lower });
    expect(refused.body).toMatchObject({ code: 'labelBelowMission' });
    // Narrowed rights stay narrow.
    const reason = 'Wanted by all of the watch.';
    expect((await change({ audience: 'everyone', usergroups: [], reason })).status).toBe(200);
    expect(await now()).toMatchObject({ audience: 'groups' });
  });

  it('T-046 rises with its mission for all who are not cleared, and names no usergroup that the mission does not', async () => {
    const { mission, start } = await recorded('OSP-snap-8', { securityClassification: 'CONFIDENTIAL' });
    const at = requested('OSP-snap-8', start + 1_000_000);
    const foreign = await take('SA', { ...at, usergroups: [groups.G1, groups.G2] });
    expect(foreign).toMatchObject({ status: 422, body: { code: 'widerThanMission' } });
    const { body } = await take('U1', at);
    const seenBy = () =>
      Promise.all(
        (['SA', 'GA', 'U1', 'U2', 'U0'] as const).map(async (who) => {
          const { status } = await ask(who).get(`/api/documents/${body._id}`);
          const { status: bytes } = await ask(who).get(`/api/documents/${body._id}/content`);
          return [who, status, bytes];
        }),
      );
    const yes = (who: string) => [who, 200, 200];
    const no = (who: string) => [who, 404, 404];
    expect(await seenBy()).toEqual([yes('SA'), yes('GA'), yes('U1'), no('U2'), no('U0')]);

    await db.updateTable('usergroups').set({ classification: 5 }).where('name', '=', 'G1').execute();
    const raised = { _id: mission._id, name: mission.name, securityClassification: 'SECRET' };
    expect((await ask('SA').put('/api/missions', raised)).status).toBe(200);

    // U2 is cleared, but not in a usergroup of the mission.
    await expect.poll(seenBy).toEqual([yes('SA'), no('GA'), no('U1'), no('U2'), no('U0')]);
    await db.updateTable('usergroups').set({ classification: 3 }).where('name', '=', 'G1').execute();
  });

  it('has its label below the picture where that is wished, and nothing of the picture covered', async () => {
    const { start } = await recorded('OSP-snap-9');
    const { body } = await take(
      'U1',
      requested('OSP-snap-9', start + 1_000_000, { securityClassification: 'CONFIDENTIAL' }),
    );
    const plain = await ask('U1').get(`/api/documents/${body._id}/content`);

    const { raw, status } = await ask('U1').get(`/api/documents/${body._id}/content?strip=true`);

    expect(status).toBe(200);
    const picture = sharp(raw);
    const { width, height } = await picture.metadata();
    expect([width, (height ?? 0) > size.height + 20]).toEqual([size.width, true]);
    const partOf = async (bytes: Buffer, part: object) =>
      sharp(
        await sharp(bytes)
          .extract({ left: 0, width: size.width, ...part } as never)
          .png()
          .toBuffer(),
      ).stats();
    const above = { top: 0, height: size.height };
    const [before, after] = [await partOf(plain.raw, above), await partOf(raw, above)];
    for (const [n, { mean }] of before.channels.entries())
      expect(Math.abs(mean - after.channels[n]!.mean)).toBeLessThan(2);
    // The band in the blue of the label, and white letters on it.
    const { channels, dominant } = await partOf(raw, { top: size.height + 2, height: 12 });
    expect(Math.min(...channels.map(({ max }) => max))).toBeGreaterThan(200);
    expect(dominant.b).toBeGreaterThan(dominant.r);
    expect(raw.includes('CONFIDENTIAL')).toBe(true);
  });

  it.skipIf(spawnSync('exiftool', ['-ver']).status !== 0)(
    'says the label of the moment in each download, and holds none at rest',
    async () => {
      const { mission, start } = await recorded('OSP-snap-7');
      const { body } = await take('U1', requested('OSP-snap-7', start + 1_000_000));
      const said = async () => {
        const { raw } = await ask('U1').get(`/api/documents/${body._id}/content`);
        const { stdout } = spawnSync('exiftool', ['-j', '-XMP:all', '-'], { input: raw, encoding: 'utf8' });
        return (JSON.parse(stdout) as Record<string, string>[])[0]!;
      };

      expect(await said()).toMatchObject({ Rights: 'UNCLASSIFIED', Title: 'A ferry' });
      await ask('SA').put('/api/missions', {
        _id: mission._id,
        name: mission.name,
        securityClassification: 'CONFIDENTIAL',
      });
      expect(await said()).toMatchObject({ Rights: 'CONFIDENTIAL', Instructions: 'CONFIDENTIAL' });
      const row = await db
        .selectFrom('documents')
        .select('storage_key')
        .where('id', '=', body._id)
        .executeTakeFirstOrThrow();
      const stored = Buffer.concat(await server.dependencies.storage.read(row.storage_key).toArray());
      expect(stored.includes('UNCLASSIFIED')).toBe(false);
      // A range of a download that broke goes on in the same copy, and in no other.
      const complete = await ask('U1').get(`/api/documents/${body._id}/content`);
      const part = await ask('U1').get(`/api/documents/${body._id}/content`, { range: 'bytes=10-19' });
      expect(part.raw.equals(complete.raw.subarray(10, 20))).toBe(true);
    },
  );
});

describe('a snapshot of a live stream that is not recorded', () => {
  it('has the label and the audience of the platform, no mission, and the picture of the browser', async () => {
    await addPlatform(db, { name: 'OSP-live', classification: 3, usergroups: [groups.G1] });
    const at = { platformName: 'OSP-live', sensorName: 'EO', title: 'Live', timestamp: START_US };
    const picture = { snapshotDataUrl: dataUrl(await solid('#0000ff')) };
    const shared = { audience: 'groups', usergroups: [groups.G1] };

    expect((await take('U2', { ...at, ...picture, ...shared })).status).toBe(404);
    expect((await take('U1', { ...at, ...shared })).body).toMatchObject({ code: 'badFile' });
    expect((await take('U1', { ...at, ...picture, audience: 'everyone' })).body).toMatchObject({ code: 'ruleRefused' });
    const { status, body } = await take('U1', { ...at, ...picture, ...shared });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      securityClassification: 'CONFIDENTIAL',
      snapshot: 'browser',
      platformName: 'OSP-live',
    });
    expect((await momentOf(body._id)).body).toMatchObject({
      mission: null,
      sensor: { name: 'EO' },
      time: START_US,
    });
  });
});
