import { readdir } from 'node:fs/promises';
import { decodeSt0601Item, isValues, packets as klvPackets } from '@osprey/klv';
import { createDemuxer } from '@osprey/mpegts';
import { describe, expect, it } from 'vitest';
import { sendPaced } from '../../../../../../tools/test-support/paced-sender.ts';
import { flightBytes } from '../../../../test/flight.ts';
import { liveServer } from '../../../../test/live-server.ts';
import type { Subject } from '../../../../test/server.ts';
import { createKlvRecords } from '../../../media/index/klv-records.ts';

const { server, ports, sensors } = await liveServer(['KEA-1', 'KEA-2']);
const { db } = server;
const PMT_PID = 0x1000;

/** Packets of a stream by PID, in hex. */
function byPid(stream: Buffer): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (let at = 0; at + 188 <= stream.length; at += 188) {
    const pid = ((stream[at + 1]! & 0x1f) << 8) | stream[at + 2]!;
    const list = found.get(pid) ?? [];
    found.set(pid, list);
    list.push(stream.toString('hex', at, at + 188));
  }
  return found;
}

/** Sends a flight and waits until the ring has it, but for the last picture, whose end nobody knows. */
async function send(camera: number, bytes: Buffer, seconds: number) {
  const sender = await sendPaced({ bytes, port: ports[camera]!, speed: 2 });
  await sender.done;
  const held = () =>
    server.coordination.mirror.ring(sensors[camera]!).reduce((sum, one) => sum + one.durationSeconds, 0);
  await expect.poll(held, { timeout: 10_000 }).toBeGreaterThan(seconds - 1.5);
}

async function get(who: Subject, camera: number, path = 'export') {
  const answer = await server.asUser(who).inject({ method: 'GET', url: `/api/live/${sensors[camera]}/${path}` });
  const { statusCode: status, rawPayload: raw, headers } = answer;
  return { status, raw, headers, json: () => answer.json() };
}

async function platformOf(camera: number): Promise<string> {
  const { platform_id } = await db
    .selectFrom('platform_sensors')
    .select('platform_id')
    .where('id', '=', sensors[camera]!)
    .executeTakeFirstOrThrow();
  return platform_id;
}

const control = (command: 'start' | 'stop', payload: object) =>
  server.asUser('SA').inject({ method: 'POST', url: `/api/platforms/control?command=${command}`, payload });

/** Security classifications (ST 0102, item 1) of the sets of each PID. */
function labelsOf(stream: Buffer): Map<number, number[]> {
  const records = createKlvRecords();
  const found = new Map<number, number[]>();
  const demuxer = createDemuxer({
    klv({ pid, bytes, start, end }) {
      for (const one of klvPackets(bytes, start, end)) {
        const set = records.read(bytes, one.start, one.end);
        for (const item of set?.items ?? []) {
          if (item.tag !== 48) continue;
          const values = decodeSt0601Item(bytes, item);
          if (isValues(values)) found.set(pid, [...(found.get(pid) ?? []), Number(values['1'])]);
        }
      }
    },
  });
  demuxer.push(stream);
  expect(demuxer.end().faults).toMatchObject({ continuityErrors: 0, brokenPes: 0 });
  return found;
}

describe('the export of what is kept of a live stream', () => {
  it('has the very packets of the source, the label of the platform in name and stream, and leaves only rows of the audit', async () => {
    const platformId = await platformOf(0);
    await db.updateTable('platforms').set({ classification: 2 }).where('id', '=', platformId).execute();
    const source = flightBytes({ seconds: 11 });
    await send(0, source, 11);
    const retained = async () =>
      (await readdir(server.dataDir, { recursive: true })).filter((name) => !name.includes('ring'));
    const before = await retained();

    const plan = (await get('U1', 0, 'exportPlan')).json();
    const answer = await get('U1', 0);

    expect(answer.status, answer.raw.toString()).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'video/mp2t', 'cache-control': 'private, no-store' });
    expect(answer.headers['content-disposition']).toMatch(/osprey_RESTRICTED_KEA-1_EO_\d{8}-\d{6}_(?:9|10|11)s\.ts/);
    expect(answer.headers['content-disposition']).toContain(plan.fileName);
    expect(plan.durationSeconds).toBeGreaterThan(9);
    expect(plan.endTime - plan.startTime).toBeGreaterThan(4e6);

    const [own, sent] = [byPid(answer.raw), byPid(source)];
    const added = [...own.keys()].filter((pid) => !sent.has(pid));
    expect(added).toHaveLength(1);
    for (const [pid, list] of sent) {
      if (pid === 0 || pid === PMT_PID) continue;
      const packets = own.get(pid)!;
      const from = list.indexOf(packets[0]!);
      expect([pid, from >= 0, packets]).toEqual([pid, true, list.slice(from, from + packets.length)]);
      expect(packets.length).toBeGreaterThan(list.length * 0.8);
    }
    const labels = labelsOf(answer.raw);
    expect([...labels.keys()]).toEqual(added);
    expect(new Set(labels.get(added[0]!))).toEqual(new Set([2]));
    expect(labels.get(added[0]!)!.length).toBeGreaterThanOrEqual(9);

    const rows = () =>
      db
        .selectFrom('audit')
        .select(['actor_id', 'action', 'item_label', 'result', 'reason'])
        .where('item_id', '=', platformId)
        .where('action', 'like', 'platform.export%')
        .orderBy('seq')
        .execute();
    await expect.poll(async () => (await rows()).length).toBe(2);
    const [begun, ended] = await rows();
    expect(begun).toMatchObject({
      actor_id: server.userId('U1'),
      action: 'platform.export',
      item_label: 2,
      result: 'ts',
    });
    expect(begun!.reason).toContain(sensors[0]);
    expect(ended).toMatchObject({ action: 'platform.exported', result: `${answer.raw.length} bytes` });
    expect(await retained()).toEqual(before);
  });

  it('goes over a break of the stream, which it says in the packets after it', async () => {
    const flights = [{ seconds: 6 }, { seconds: 6, startTicks: 90_000_000 }].map(flightBytes);
    await send(1, flights[0]!, 6);
    await send(1, flights[1]!, 11);

    const { raw } = await get('U1', 1);

    const times: number[] = [];
    const demuxer = createDemuxer({ accessUnit: ({ ptsTicks }) => times.push(ptsTicks! / 90_000) });
    demuxer.push(raw);
    expect(demuxer.end().faults).toMatchObject({ continuityErrors: 0, brokenPes: 0 });
    const after = times.findIndex((time) => time >= 1000);
    expect(times.slice(0, after).map((time) => Math.round((time - times[0]!) * 25))).toEqual(
      Array.from({ length: after }, (_, n) => n),
    );
    expect(after).toBeGreaterThan(4 * 25);
    expect(times.length - after).toBeGreaterThan(4 * 25);
  });

  it('is refused to whom the platform is hidden and where nothing is kept, and leads to the mission while that is recorded', async () => {
    const guest = await get('guest', 1);
    expect([guest.status, guest.json().code]).toEqual([404, 'notFound']);
    const started = await control('start', { platformName: 'KEA-2', record: true, missionName: 'Kea-run' });
    expect(started.statusCode, started.body).toBe(200);
    const more = await sendPaced({ bytes: flightBytes({ seconds: 6, startTicks: 190_000_000 }), port: ports[1]! });
    await expect.poll(async () => (await get('U1', 1)).status, { timeout: 10_000 }).toBe(422);
    const recorded = 'Sensor EO is being recorded: export a clip of its mission.';
    expect((await get('U1', 1)).json()).toMatchObject({ code: 'ruleRefused', text: expect.stringContaining(recorded) });
    expect((await get('U1', 1, 'exportPlan')).json()).toMatchObject({ refusal: recorded });
    await more.stop();
    expect((await control('stop', { platformName: 'KEA-2' })).statusCode).toBe(200);

    // The ring forgets what a recording has.
    await expect
      .poll(async () => (await get('U1', 1)).json(), { timeout: 10_000 })
      .toMatchObject({ text: expect.stringContaining('Nothing that sensor EO sent is kept any more.') });
    expect((await get('U1', 1, 'exportPlan')).json()).toEqual({
      ...{ fileName: null, sizeBytes: 0, startTime: null, endTime: null, durationSeconds: 0 },
      refusal: 'Nothing that sensor EO sent is kept any more.',
    });
  });
});
