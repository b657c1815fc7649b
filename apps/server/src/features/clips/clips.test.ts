import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClipManifest, ClipPlan, Mission, SensorTimeline } from '@osprey/contract';
import { decodePacket, packets } from '@osprey/klv';
import { createDemuxer } from '@osprey/mpegts';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flightBytes } from '../../../test/flight.ts';
import { recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { db } = server;
const groups: Record<string, string> = server.groups;
const folder = await mkdtemp(join(tmpdir(), 'osprey-clips-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Recorded = { mission: Mission; sensor: string; fileId: string; bytes: Buffer };
let kea: Recorded;
let open: Recorded;

async function recorded(name: string, sharing: object): Promise<Recorded> {
  const path = join(folder, `${name}.ts`);
  await simulateToFile({ seconds: 20, width: 320, height: 180, seed: 7 }, path);
  const { mission } = await server.record({ name, ...sharing }, [{ path }]);
  const sensor = mission.sensors[0]!;
  return { mission, sensor: sensor._id, fileId: sensor.assets[0]!._id, bytes: await readFile(path) };
}

beforeAll(async () => {
  kea = await recorded('Kea', { securityClassification: 'CONFIDENTIAL', audience: 'groups', usergroups: [groups.G1] });
  open = await recorded('Open', { securityClassification: 'UNCLASSIFIED', audience: 'everyone' });
}, 120_000);

const url = ({ mission, sensor }: Recorded, query: string) =>
  `/api/sensors/exportVideo/${mission._id}/${sensor}?${query}`;
const get = (who: Subject, of: Recorded, query: string) => server.ask(who).get(url(of, query));

const rowsOf = (missionId: string) =>
  db
    .selectFrom('audit')
    .select(['action', 'actor_id', 'item_label', 'time', 'result', 'reason', 'decision'])
    .where('item_id', '=', missionId)
    .where('action', 'like', 'clip.%')
    .orderBy('seq')
    .execute();

/** PES packets by PID, in their order. */
function pesOf(stream: Uint8Array): Map<number, string[]> {
  const found = new Map<number, Buffer[][]>();
  for (let at = 0; at + 188 <= stream.length; at += 188) {
    const packet = stream.subarray(at, at + 188);
    const start = packet[3]! & 0x20 ? 5 + packet[4]! : 4;
    if (!(packet[3]! & 0x10) || start >= 188) continue;
    const pid = ((packet[1]! & 0x1f) << 8) | packet[2]!;
    const list = found.get(pid) ?? [];
    found.set(pid, list);
    if (packet[1]! & 0x40) list.push([]);
    list.at(-1)?.push(Buffer.from(packet.subarray(start)));
  }
  return new Map([...found].map(([pid, list]) => [pid, list.map((parts) => Buffer.concat(parts).toString('hex'))]));
}

function accessUnits(stream: Uint8Array): number {
  let count = 0;
  const demuxer = createDemuxer({
    accessUnit() {
      count += 1;
    },
  });
  demuxer.push(stream);
  demuxer.end();
  return count;
}

/** Sets of a stream, decoded. */
function setsOf(stream: Uint8Array) {
  const sets: { pid: number; values: Record<string, unknown> }[] = [];
  const demuxer = createDemuxer({
    klv({ pid, bytes, start, end }) {
      for (const one of packets(bytes, start, end)) {
        sets.push({ pid, values: decodePacket(bytes, one.start, one.end).values as Record<string, unknown> });
      }
    },
  });
  demuxer.push(stream);
  return { sets, report: demuxer.end() };
}

describe('GET sensors/exportVideo', () => {
  it('answers a clip from the key frame before In to Out, with the packets of the original', async () => {
    const { status, headers, raw } = await get('U1', open, 'markIn=5.5&markOut=9');

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('video/mp2t');
    expect(headers['content-disposition']).toContain('osprey_UNCLASSIFIED_Open_EO-IR_');
    const [whole, own] = [pesOf(open.bytes), pesOf(raw)];
    const { report } = setsOf(raw);
    expect(report.faults).toMatchObject({ continuityErrors: 0, brokenPes: 0, badCrc: 0 });
    for (const { pid } of setsOf(open.bytes).report.programs[0]!.streams) {
      const retained = own.get(pid)!;
      const from = whole.get(pid)!.indexOf(retained[0]!);
      expect(retained).toEqual(whole.get(pid)!.slice(from, from + retained.length));
    }
    const probed = await probe(raw);
    expect(Number(probed.format.duration)).toBeGreaterThan(3.4);
    expect(Number(probed.format.duration)).toBeLessThan(6);
    expect(probed.streams.map(({ codec_type }) => codec_type)).toContain('video');
  });

  it('goes to the end of the mission without markOut', async () => {
    const [toEnd, toNine] = [await get('U1', open, 'markIn=5.5'), await get('U1', open, 'markIn=5.5&markOut=9')];

    expect(toEnd.status).toBe(200);
    const duration = async (raw: Buffer) => Number((await probe(raw)).format.duration);
    expect(await duration(toEnd.raw)).toBeGreaterThan(await duration(toNine.raw));
    expect(toEnd.raw).toEqual((await get('U1', open, 'markIn=5.5&markOut=99999999')).raw);
  });

  it.skipIf(spawnSync('gst-launch-1.0', ['--version']).error !== undefined)(
    'is read by GStreamer to its end (skipped without gst-launch-1.0)',
    async () => {
      const { raw } = await get('U1', kea, 'markIn=5.5&markOut=9');
      const path = join(folder, 'gst.ts');
      await writeFile(path, raw);

      const demuxed = ['filesrc', `location=${path}`, '!', 'tsdemux', 'name=d', 'd.', '!', 'queue', '!', 'h264parse'];
      const { status, stdout } = spawnSync('gst-launch-1.0', ['-v', ...demuxed, '!', 'fakesink', 'silent=false']);

      expect(status).toBe(0);
      expect(stdout.toString().match(/chain\s+\*+/g)!.length).toBe(accessUnits(raw));
    },
  );

  it('of a recording that was sent eight times over has each set once, as TS and as MP4', async () => {
    const path = join(folder, 'once.ts');
    await simulateToFile({ seconds: 10, width: 320, height: 180, seed: 11, klvRate: 'frame' }, path);
    const once = await readFile(path);
    const looped = join(folder, 'looped.ts');
    await writeFile(looped, Buffer.concat(Array.from({ length: 8 }, () => once)));
    const { mission } = await server.record({ name: 'Looped', audience: 'everyone' }, [{ path: looped }]);
    const of = { mission, sensor: mission.sensors[0]!._id };
    const setKey = Buffer.from('060e2b34020b01010e01030101000000', 'hex');
    // The label is said once a second by sets of a few bytes.
    const isTelemetry = (length: string) => length.charCodeAt(0) > 40;
    const count = (bytes: Buffer) =>
      bytes.toString('latin1').split(setKey.toString('latin1')).slice(1).filter(isTelemetry).length;
    const { pid } = setsOf(once).sets[0]!;
    const own = (bytes: Buffer) => setsOf(bytes).sets.filter((set) => set.pid === pid);
    const url = (query: string) => `/api/sensors/exportVideo/${of.mission._id}/${of.sensor}?${query}`;
    const ends = `markIn=0&markOut=${Math.ceil((mission.endTime! - mission.startTime!) / 1e6)}`;

    const ts = await server.ask('U1').get(url(ends));
    const mp4 = await server.ask('U1').get(url(`${ends}&format=mp4`));
    const part = await server.ask('U1').get(url('markIn=12&markOut=18'));

    expect(setsOf(once).sets).toHaveLength(250);
    expect(own(ts.raw)).toHaveLength(2000);
    expect(ts.raw.length).toBeLessThan(1.05 * 8 * once.length);
    expect(count(mp4.raw)).toBe(2000);
    expect(own(part.raw)).toHaveLength(accessUnits(part.raw));
  });

  it('takes ISO times and names for the same bytes', async () => {
    const { body } = await server
      .ask('U1')
      .get<SensorTimeline>(`/api/sensors/timeline/${open.mission._id}/${open.sensor}`);
    const at = (seconds: number) => new Date(body.startTime / 1000 + seconds * 1000).toISOString();

    const byTime = await server
      .ask('U1')
      .get(`/api/sensors/exportVideo/Open/${encodeURIComponent('EO/IR')}?markIn=${at(6)}&markOut=${at(8)}`);
    const bySeconds = await get('U1', open, 'markIn=6&markOut=8');

    expect(byTime.status).toBe(200);
    expect(byTime.raw.equals(bySeconds.raw)).toBe(true);
  });

  it('T-071 says the label in its name and in a stream of its own, once a second', async () => {
    const { raw, headers } = await get('U1', kea, 'markIn=4&markOut=8');

    expect(headers['content-disposition']).toContain('osprey_CONFIDENTIAL_Kea_');
    const { sets, report } = setsOf(raw);
    const own = report.programs[0]!.streams.at(-1)!;
    expect(own).toMatchObject({ kind: 'klvAsync', registration: 'KLVA' });
    const labels = sets.filter(({ pid }) => pid === own.pid);
    expect(labels.length).toBeGreaterThanOrEqual(4);
    for (const { values } of labels) expect(values['48']).toMatchObject({ 1: 3 });
    const times = labels.map(({ values }) => Number(values['2']));
    const start = sets.find(({ pid, values }) => pid !== own.pid && values['2'] !== undefined)!;
    expect(Math.abs(times[0]! - Number(start.values['2']))).toBeLessThan(100_000);
  });

  it.each([
    ['markIn after markOut', 'markIn=9&markOut=3', 422],
    ['no length', 'markIn=3&markOut=3', 422],
    ['NaN', 'markIn=NaN&markOut=3', 400],
    ['1e18', 'markIn=0&markOut=1e18', 400],
    ['nothing', '', 400],
    ['a span after the end', 'markIn=100&markOut=200', 422],
    ['a span before the start', 'markIn=-50&markOut=-10', 422],
    ['an end long after the recording', 'markIn=0&markOut=99999999', 200],
    ['more seconds than a time can hold', 'markIn=0&markOut=9999999999', 422],
  ])('T-071 answers a clip of %s by %s: %i', async (_what, query, status) => {
    expect((await get('U1', open, query)).status).toBe(status);
  });

  it('is refused to the guest with the specified words, and hidden from who may not read', async () => {
    const shared = await recorded('Demo-flight', { audience: 'groups', usergroups: [groups.Demo] });
    const guest = await get('guest', shared, 'markIn=0&markOut=2');
    const hidden = await get('U2', kea, 'markIn=0&markOut=2');

    expect([guest.status, (guest.body as { text: string }).text]).toEqual([
      403,
      'Guest users do not have permission to download the video.',
    ]);
    expect(hidden.status).toBe(404);
  });

  it('leaves a row before the first byte and one with size and sum after the last', async () => {
    const before = (await rowsOf(kea.mission._id)).length;
    const { raw } = await get('U1', kea, 'markIn=1&markOut=3');

    await expect.poll(async () => (await rowsOf(kea.mission._id)).length).toBe(before + 2);
    const rows = (await rowsOf(kea.mission._id)).slice(before);
    expect(rows.map(({ action }) => action)).toEqual(['clip.export', 'clip.exported']);
    const sum = createHash('sha256').update(raw).digest('hex');
    expect(rows[1]).toMatchObject({ actor_id: server.userId('U1'), item_label: 3, time: expect.any(Number) });
    expect(rows[1]).toMatchObject({ result: `${raw.length} bytes`, reason: `SHA-256 ${sum}` });
  });

  it('packs the clip with what was cut and the sums', async () => {
    const { raw, headers } = await get('U1', kea, 'markIn=5.5&markOut=7&sidecar=true');
    const path = join(folder, 'clip.zip');
    await writeFile(path, raw);

    expect(headers['content-type']).toBe('application/zip');
    const names = execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n');
    const entry = (name: string) => execFileSync('unzip', ['-p', path, name], { maxBuffer: 1e9 });
    expect(names).toEqual([expect.stringMatching(/^osprey_CONFIDENTIAL_Kea_EO-IR_.*\.ts$/), 'clip.json', 'SHA256SUMS']);
    const manifest: ClipManifest = JSON.parse(entry('clip.json').toString());
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(entry('SHA256SUMS').toString()).toBe(
      `${sum(entry(names[0]!))}  ${names[0]}\n${sum(entry('clip.json'))}  clip.json\n`,
    );
    expect(manifest).toMatchObject({ format: 'osprey-clip', label: 'CONFIDENTIAL', mission: { id: kea.mission._id } });
    const custody = { by: 'U1', label: 'CONFIDENTIAL', created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) };
    expect(manifest).toMatchObject({ ...custody, clips: [{ sha256: sum(entry(names[0]!)) }] }); // S2-429
    const [clip] = manifest.clips;
    const [part] = clip!.parts;
    expect(clip).toMatchObject({ name: names[0], sha256: sum(entry(names[0]!)), labelled: true });
    expect(part!.original).toMatchObject({ id: kea.fileId, sha256: sum(kea.bytes) });
    expect(part!.framesBeforeIn).toBeGreaterThan(0);
    const bare = await get('U1', kea, 'markIn=5.5&markOut=7');
    expect(sum(bare.raw)).toBe(clip!.sha256);
  });

  it('says before what it would be', async () => {
    const plan = await server
      .ask('U1')
      .get<ClipPlan>(`/api/sensors/clipPlan/${kea.mission._id}/${kea.sensor}?markIn=5.5&markOut=7`);
    const { raw } = await get('U1', kea, 'markIn=5.5&markOut=7');

    expect(plan.body).toMatchObject({ files: 1, endTime: kea.mission.startTime! + 7e6 });
    expect(plan.body.startTime).toBeLessThanOrEqual(kea.mission.startTime! + 5.5e6);
    expect(plan.body.gapSeconds).toBeLessThan(0.001);
    expect(plan.body.sizeBytes / raw.length).toBeGreaterThan(0.5);
    expect(plan.body.sizeBytes / raw.length).toBeLessThan(3);
  });

  it('is read by ingest as a recording of that time with the label', async () => {
    const { raw } = await get('U1', kea, 'markIn=5&markOut=9');
    const path = join(folder, 'again.ts');
    await writeFile(path, raw);

    const again = await server.record({ name: 'Again', audience: 'groups', usergroups: [groups.G1!] }, [{ path }]);

    expect(again.failures).toEqual([]);
    expect(again.mission.securityClassification).toBe('CONFIDENTIAL');
    const [sensor] = again.mission.sensors;
    expect(sensor!.state).toBe('Ready');
    const [startUs, endUs] = [kea.mission.startTime! + 5e6, kea.mission.startTime! + 9e6];
    expect(sensor!.startTime).toBeLessThanOrEqual(startUs);
    expect(Math.abs(sensor!.endTime! - endUs)).toBeLessThan(100_000);
  });
});

describe('what a span may hold', () => {
  const startUs = Date.UTC(2026, 5, 1, 9) * 1000;
  const flight = async (name: string, options: object) => {
    const path = join(folder, `${name}.ts`);
    await simulateToFile({ seconds: 8, width: 320, height: 180, seed: 3, ...options }, path);
    return { path };
  };

  it('joins files of one format over a gap in one stream, each with a discontinuity', async () => {
    const files = [await flight('first', { startUs }), await flight('second', { startUs: startUs + 20e6 })];
    const { mission } = await server.record({ name: 'Gap' }, files);
    const gap = { mission, sensor: mission.sensors[0]!._id, fileId: '', bytes: Buffer.alloc(0) };

    const { raw, headers, status } = await get('U1', gap, 'markIn=4&markOut=24');

    expect([status, headers['content-type']]).toEqual([200, 'video/mp2t']);
    const { report, sets } = setsOf(raw);
    expect(report.faults).toMatchObject({ continuityErrors: 0, brokenPes: 0 });
    const times = sets.map(({ values }) => (Number(values['2']) - startUs) / 1e6).toSorted((a, b) => a - b);
    expect(times[0]).toBeLessThanOrEqual(4);
    expect(times.at(-1)).toBeGreaterThan(23.5);
    expect(times.filter((time) => time > 8.1 && time < 19.9)).toEqual([]);
  });

  it('answers a zip with a file each where formats differ', async () => {
    const files = [
      await flight('small', { startUs }),
      await flight('large', { startUs: startUs + 20e6, width: 480, height: 270 }),
    ];
    const { mission } = await server.record({ name: 'Formats' }, files);
    const sensor = mission.sensors[0]!._id;

    const { raw, headers } = await get(
      'U1',
      { mission, sensor, fileId: '', bytes: Buffer.alloc(0) },
      'markIn=4&markOut=24',
    );

    const path = join(folder, 'formats.zip');
    await writeFile(path, raw);
    expect(headers['content-type']).toBe('application/zip');
    const names = execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n');
    expect(names.map((name) => name.replace(/^.*_/, ''))).toEqual(['1.ts', '2.ts', 'clip.json', 'SHA256SUMS']);
  });

  it('adds no stream of the label where the recording says it itself', async () => {
    const { mission } = await server.record(
      { name: 'Marked' },
      [await flight('marked', { classification: 'SECRET' })],
      'SA',
    );
    expect(mission.securityClassification).toBe('SECRET');

    const own = await get(
      'SA',
      { mission, sensor: mission.sensors[0]!._id, fileId: '', bytes: Buffer.alloc(0) },
      'markIn=1&markOut=6',
    );
    await server.ask('SA').put('/api/missions', { ...mission, securityClassification: 'TOP SECRET' });
    const raised = await get(
      'SA',
      { mission, sensor: mission.sensors[0]!._id, fileId: '', bytes: Buffer.alloc(0) },
      'markIn=1&markOut=6',
    );

    const streams = (raw: Buffer) => setsOf(raw).report.programs[0]!.streams.length;
    expect(own.headers['content-disposition']).toContain('_SECRET_');
    expect(streams(raised.raw)).toBe(streams(own.raw) + 1);
  });
});

describe('a download', () => {
  let link = '';
  let missionId = '';

  beforeAll(async () => {
    const address = await server.listen();
    const path = join(folder, 'long.ts');
    await writeFile(path, flightBytes({ seconds: 20, bitsPerSecond: 16e6 }));
    const { mission } = await server.record({ name: 'Long' }, [{ path }], 'SA');
    missionId = mission._id;
    link = `${address}/api/sensors/exportVideo/${missionId}/${mission.sensors[0]!._id}?markIn=0&markOut=19`;
  }, 60_000);

  /** An answer whose beginning alone is read. */
  async function begun(): Promise<IncomingMessage> {
    const [answer] = (await once(httpGet(link, { headers: server.headersOf('SA') }), 'response')) as [IncomingMessage];
    return answer;
  }

  it('that breaks off has its beginning in the audit, and how much was sent', async () => {
    const answer = await begun();
    await once(answer, 'data');
    answer.destroy();

    await expect.poll(async () => (await rowsOf(missionId)).length).toBe(2);
    const rows = await rowsOf(missionId);
    expect(rows.map(({ action, result }) => [action, result])).toEqual([
      ['clip.export', 'ts'],
      ['clip.export', 'broken off'],
    ]);
    expect(rows[1]!.reason).toMatch(/^\d+ bytes sent$/);
  });

  it('of a recording that is cut off on the disk ends with an error and marks the file, before that place it is whole', async () => {
    const cutOff = await recorded('cut-off', { securityClassification: 'UNCLASSIFIED', audience: 'everyone' });
    const before = await get('U1', cutOff, 'markIn=1&markOut=3');
    const path = join(server.dataDir, 'files', 'originals', cutOff.sensor, `${cutOff.fileId}.ts`);
    await truncate(path, Math.round(cutOff.bytes.length / 2));

    expect((await get('U1', cutOff, 'markIn=1&markOut=3')).raw.equals(before.raw)).toBe(true);
    // An MP4, and an entry of a zip, is read whole before its first byte; a stream breaks off where the recording does.
    const statusOf = (query: string) =>
      get('U1', cutOff, query).then(
        ({ status }) => status,
        () => 'broken off',
      );
    const span = 'markIn=2&markOut=18';
    expect(await Promise.all([statusOf(span), statusOf(`${span}&sidecar=true`)])).toEqual(['broken off', 410]);
    expect([await statusOf(`${span}&format=mp4`), await statusOf('markIn=16&markOut=18')]).toEqual([410, 410]);
    const faultNow = async () =>
      (await db.selectFrom('stored_checks').select('fault').where('file_id', '=', cutOff.fileId).executeTakeFirst())
        ?.fault;
    await expect.poll(faultNow).toBe('size');
  });

  it('is one of two that an account may have at the same time', async () => {
    const open = [await begun(), await begun()];
    const third = await begun();
    for (const answer of [...open, third]) answer.destroy();

    expect([...open, third].map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    await expect
      .poll(async () => {
        const again = await begun();
        again.destroy();
        return again.statusCode;
      })
      .toBe(200);
  });

  it('ends within a second when its right is lost', async () => {
    const answer = await begun();
    answer.on('error', () => undefined);
    const closed = new Promise((resolve) => answer.once('close', resolve));

    await db
      .updateTable('missions')
      .set({ deleted_time: Date.now() * 1000 })
      .where('id', '=', missionId)
      .execute();
    answer.resume();

    await closed;
    expect(answer.complete).toBe(false);
  });
});

type Probed = { format: { duration: string }; streams: { codec_type: string }[] };

async function probe(bytes: Buffer): Promise<Probed> {
  const path = join(folder, `probe-${bytes.length}.ts`);
  await writeFile(path, bytes);
  const out = execFileSync('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path]);
  return JSON.parse(out.toString()) as Probed;
}
