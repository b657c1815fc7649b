import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, TelemetryPage, TelemetrySet } from '@osprey/contract';
import { decodePacket } from '@osprey/klv';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { klvFlight } from '../../../test/klv-flight.ts';
import { recordingServer, type Uploaded } from '../../../test/recordings.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get, post } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-sets-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const START_US = Date.UTC(2026, 5, 1) * 1000;

async function recorded(files: Uploaded[]) {
  const { mission } = await server.record({ name: `m-${crypto.randomUUID()}` }, files);
  const sensorId = mission.sensors[0]!._id;
  const place = `${mission._id}/${sensorId}`;
  const page = async () => (await get<TelemetryPage>(`/api/sensors/telemetry/${place}`)).body;
  const setAt = async (time: number | string) =>
    (await get<TelemetrySet>(`/api/sensors/telemetry-set/${place}?time=${time}`)).body;
  return { mission, place, sensorId, page, setAt };
}

/** A flight of some seconds; the byte at the middle of every tenth set is changed, in a copy. */
async function flight(name: string, { seconds = 4, damaged = false } = {}): Promise<Uploaded> {
  const path = join(folder, name);
  await simulateToFile({ seconds, width: 320, height: 180, startUs: START_US, seed: 3, gop: 25 }, path);
  if (!damaged) return { path };
  const bytes = await readFile(path);
  const key = Buffer.from('060e2b34020b01010e010301', 'hex');
  for (let at = bytes.indexOf(key), n = 0; at >= 0; at = bytes.indexOf(key, at + 1), n += 1) {
    if (n % 10 === 7) bytes[at + 40]! ^= 0x10;
  }
  await writeFile(path, bytes);
  return { path };
}

const decoded = ({ set }: TelemetrySet) => {
  const bytes = Buffer.from(set!.hex, 'hex');
  return { bytes, ...decodePacket(bytes, 0, bytes.length) };
};

let files: Record<'whole' | 'brief' | 'damaged', Uploaded>;

beforeAll(async () => {
  files = {
    whole: await flight('whole.ts'),
    brief: await flight('brief.ts', { seconds: 1 }),
    damaged: await flight('damaged.ts', { damaged: true }),
  };
}, 120_000);

/** A set with a text as mission and platform of any length: an encoder would keep to what the standard allows. */
function setOf(timeUs: bigint, text: string): Buffer {
  const long = (bytes: Uint8Array) => {
    const length = Buffer.from([0x82, 0, 0]);
    length.writeUInt16BE(bytes.length, 1);
    return Buffer.concat([length, bytes]);
  };
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(timeUs);
  const words = long(Buffer.from(text));
  const items = [[2, 8], time, [3], words, [10], words, [65, 1, 17], [1, 2, 0, 0]].map((part) =>
    Buffer.from(part as []),
  );
  const set = Buffer.concat([Buffer.from('060e2b34020b01010e01030101000000', 'hex'), long(Buffer.concat(items))]);
  const summed = set.subarray(0, -2);
  const sum = summed.reduce((total, byte, at) => total + (byte << (at % 2 === 0 ? 8 : 0)), 0);
  set.writeUInt16BE(sum & 0xffff, set.length - 2);
  return set;
}

describe('T-089 hostile texts of a set', () => {
  async function flightOf(text: string) {
    const path = join(folder, `${crypto.randomUUID()}.ts`);
    const sets = [0, 0.5].map((atSeconds) => ({ atSeconds, bytes: setOf(BigInt(START_US + atSeconds * 1e6), text) }));
    await writeFile(path, klvFlight({ seconds: 1, sets }));
    return recorded([{ path }]);
  }

  it.each(['<img src=x onerror=alert(1)>', '=cmd()', '\u202eevil\u2066'])(
    '%j is answered as JSON, letter by letter, in telemetry and set',
    async (text) => {
      const { place, page, setAt } = await flightOf(text);
      const { time, tags } = await page();

      expect(tags).toMatchObject({ '3': [text, text], '10': [text, text] });
      expect(decoded(await setAt(time[0]!)).values['3']).toBe(text);
      const { headers } = await get(`/api/sensors/telemetry/${place}`);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('of 10,000 characters are left out with a word in the report, and the rest of the set is kept', async () => {
    const { place, page } = await flightOf('x'.repeat(10_000));

    expect((await page()).tags).toEqual({ '65': [17, 17] });
    const { findings } = (await get<KlvHealth>(`/api/sensors/klv-health/${place}`)).body;
    expect(findings.map(({ text }) => text).join(' ')).toMatch(/Mission ID/);
  });
});

describe('the bytes of a set', () => {
  it('are those whose values the telemetry gives for that time, with each item at its place', async () => {
    const { page, setAt } = await recorded([files.whole]);
    const { time, tags } = await page();
    const file = await readFile(files.whole.path);

    for (const index of [0, 1, 17, 31, time.length - 1]) {
      const answer = await setAt(time[index]!);
      const { bytes, values, checksum } = decoded(answer);
      const set = answer.set!;

      expect([values['2'], checksum, set.checksum]).toEqual([time[index], 'good', 'good']);
      expect(set.stated).toBe(set.computed);
      expect(Number(values['13'])).toBeCloseTo(Number(tags['13']![index]), 6);
      const time2 = set.items.find(({ tag }) => tag === 2)!;
      expect(Number(bytes.readBigUInt64BE(time2.valueStart))).toBe(time[index]);
      expect(set.items.at(-1)!.end).toBe(bytes.length);
      // The PES that holds it begins in the packet that is named.
      const packet = file.subarray(set.offset, set.offset + 188);
      expect([packet[0], (packet.readUInt16BE(1) & 0x5fff).toString(16)]).toEqual([
        0x47,
        (0x4000 | set.pid).toString(16),
      ]);
      expect(set.fileName).toBe('whole.ts');
    }
  });

  it('follow an editor’s shift of the times', async () => {
    const { page, setAt, sensorId } = await recorded([files.brief]);
    const before = (await page()).time[5]!;

    await post(`/api/sensors/${sensorId}/shift`, { shift: 3_600_000_000 });

    expect(decoded(await setAt(before + 3_600_000_000)).values['2']).toBe(before);
    expect(await setAt(before)).toMatchObject({ set: null, reason: 'notFound' });
  });

  itWithData.each([
    'ts/osh/sample-stream.ts',
    'bad/ts/m2ts_192.ts',
    'bad/ts/rs_204.ts',
    'bad/ts/klv_sync_fragments.ts',
    'bad/ts/junk_between_packets.ts',
    'bad/ts/video_missing.ts',
    'bad/ts/pts_wrap.ts',
  ])('are found in %s', async (path) => {
    const { page, setAt } = await recorded([{ path: testData(path) }]);
    const { time, tags } = await page();

    for (const index of [0, time.length >> 1, time.length - 1]) {
      const { values } = decoded(await setAt(time[index]!));
      expect(values['2'], `set ${index}`).toBeDefined();
      expect(Number(values['13'])).toBeCloseTo(Number(tags['13']?.[index]), 5);
    }
  });

  it('are not there for telemetry that came as text, and not for a time without a set', async () => {
    const csv = join(folder, 'track.csv');
    const rows = [0, 1, 2].map((second) => `${new Date(START_US / 1000 + 1000 * second).toISOString()},37.5,24.2`);
    await writeFile(csv, ['time,13,14', ...rows].join('\n'));
    const { page, setAt } = await recorded([{ path: csv }]);
    const { time } = await page();

    expect(await setAt(time[0]!)).toMatchObject({ time: time[0], set: null, reason: 'sidecar' });
    expect(await setAt(time[0]! + 500_000)).toMatchObject({ set: null, reason: 'notFound' });
  });
});

describe('sets that fail their checksum', () => {
  it('give no values, and are listed with their times and bytes', async () => {
    const complete = await (await recorded([files.whole])).page();
    const { page, setAt, place } = await recorded([files.damaged]);
    const { time, failed } = await page();
    const health = (await get<KlvHealth>(`/api/sensors/klv-health/${place}`)).body;

    expect(complete.failed).toBeUndefined();
    expect(failed).toHaveLength(health.checksum.bad);
    expect(failed!.length).toBeGreaterThan(3);
    const missing = complete.time.filter((one) => !time.includes(one));
    for (const [index, one] of failed!.entries()) expect(Math.abs(one - missing[index]!)).toBeLessThan(40_000);

    const { set } = await setAt(failed![1]!);
    expect(set!.checksum).toBe('bad');
    expect(set!.stated).not.toBe(set!.computed);
    expect(decoded({ sensor: '', time: 0, set, reason: null }).checksum).toBe('bad');
  });

  it('are listed within the span that is asked for', async () => {
    const { page, place } = await recorded([files.damaged]);
    const { failed } = await page();
    const [from, to] = [failed![1]!, failed![2]!];

    const { body } = await get<TelemetryPage>(`/api/sensors/telemetry/${place}?from=${from}&to=${to}`);

    expect(body.failed).toEqual([from, to]);
  });

  itWithData('are reported if none is good', async () => {
    const { page, setAt } = await recorded([{ path: testData('bad/ts/klv_checksum_bad.ts') }]);
    const { time, failed } = await page();

    // Each comes before its picture, the first before any.
    expect([time.length, failed!.length]).toEqual([0, 30]);
    expect((await setAt(failed!.at(-1)!)).set!.checksum).toBe('bad');
  });
});
