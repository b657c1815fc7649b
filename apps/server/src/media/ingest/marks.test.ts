import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, Mission, TelemetryPage } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import { createMuxer } from '@osprey/mpegts';
import { type SimulatedClassification, simulateToFile } from '@osprey/simulator';
import { afterAll, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { markWatch } from '../../recorder/stream/mark-watch.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { db } = server;
const folder = await mkdtemp(join(tmpdir(), 'osprey-marks-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const DAY_US = Date.UTC(2026, 5, 1) * 1000;

async function flight(name: string, classification: SimulatedClassification, startUs = DAY_US): Promise<string> {
  const path = join(folder, `${name}.ts`);
  await simulateToFile({ seconds: 1, width: 320, height: 180, classification, startUs }, path);
  return path;
}

/** A stream of KLV packets alone, ten a second. */
async function klvStream(name: string, packets: readonly Uint8Array[]): Promise<string> {
  const parts: Buffer[] = [];
  const muxer = createMuxer({
    write: (bytes) => parts.push(Buffer.from(bytes)),
    streams: [{ pid: 0x101, kind: 'klvAsync' }],
  });
  packets.forEach((bytes, index) => {
    muxer.unit({ pid: 0x101, ptsTicks: 90_000 + 9000 * index, bytes });
  });
  muxer.end();
  const path = join(folder, `${name}.ts`);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** ST 0102 universal set with its classification as text. */
function universalMark(word: string): Uint8Array {
  const value = Buffer.from(`${word}//`, 'latin1');
  const item = Buffer.concat([hex('060e2b34 01010101 02080201 00000000'), Buffer.from([value.length]), value]);
  return Buffer.concat([hex('060e2b34 02010101 02080200 00000000'), Buffer.from([item.length]), item]);
}

const position = (second: number, more = {}) =>
  encodeSt0601({ '2': DAY_US + second * 100_000, '13': 37.5, '14': 24.5, '65': 17, ...more });

const everybody = { securityClassification: 'UNCLASSIFIED', audience: 'everyone' } as const;

async function labelOf({ _id }: Mission): Promise<number> {
  return (await db.selectFrom('missions').select('classification').where('id', '=', _id).executeTakeFirstOrThrow())
    .classification;
}

it.each(['local', 'universal'] as const)('T-039 a %s set that says SECRET raises the label', async (form) => {
  const path =
    form === 'local'
      ? await flight('local', 'SECRET')
      : await klvStream('universal', [position(0), universalMark('SECRET'), position(1), position(2)]);

  const { mission } = await server.record({ name: `marked-${form}`, ...everybody }, [{ path }]);

  expect(await labelOf(mission)).toBe(4);
  expect((await server.ask('U0').get(`/api/missions/${mission._id}`)).status).toBe(404);
  expect((await server.ask('U2').get<Mission>(`/api/missions/${mission._id}`)).body).toMatchObject({
    securityClassification: 'SECRET',
    message: expect.stringMatching(/^label_conflict: marked SECRET/),
  });
  const row = await db
    .selectFrom('audit')
    .select(['item_label', 'reason'])
    .where('action', '=', 'label_conflict')
    .where('item_id', '=', mission._id)
    .executeTakeFirstOrThrow();
  expect(row.item_label).toBe(4);
});

it('T-039 a mark that falls in mid-file never lowers the label', async () => {
  const [high, low] = [await flight('high', 'SECRET'), await flight('low', 'UNCLASSIFIED', DAY_US + 1_000_000)];
  const path = join(folder, 'falls.ts');
  await writeFile(path, Buffer.concat([await readFile(high), await readFile(low)]));

  const { mission } = await server.record({ name: 'falls', ...everybody }, [{ path }]);

  expect(await labelOf(mission)).toBe(4);
});

const item = (tag: number, ...bytes: number[]) => [tag, bytes.length, ...bytes];
/** ST 0601 tag 48 with ST 0102 tag 1. */
const security = (code: number) => item(48, ...item(1, code));

/** A packet of ST 0601 without a checksum. */
function packetOf(...items: number[][]): Uint8Array {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(DAY_US));
  const value = [...item(2, ...time), ...items.flat()];
  return Buffer.concat([hex('060e2b34 020b0101 0e010301 01000000'), Buffer.from([value.length, ...value])]);
}

it.each([
  ['the first of two sets in a packet', [security(4), security(1)]],
  ['a set that a later one without a value follows', [security(4), item(48)]],
  ['a set within a segment', [item(100, ...security(4))]],
  ['the first of two within an amendment of a segment', [item(100, ...item(101, ...security(4), ...security(2)))]],
])('T-039 %s raises the label', async (name, items) => {
  const path = await klvStream(name.replaceAll(' ', '-'), [position(0), packetOf(...items), position(1)]);
  const reported: number[] = [];
  const watch = markWatch((rank) => reported.push(rank));

  const { mission } = await server.record({ name: name.replaceAll(' ', '-'), ...everybody }, [{ path }]);
  watch.read(packetOf(...items));

  expect(await labelOf(mission)).toBe(4);
  expect(reported.at(-1)).toBe(4);
});

it('an override by a cleared admin holds until a higher mark comes', async () => {
  const { mission } = await server.record({ name: 'overridden', ...everybody }, [
    { path: await flight('restricted', 'RESTRICTED') },
  ]);
  expect(await labelOf(mission)).toBe(2);
  const lower = { _id: mission._id, name: 'overridden', securityClassification: 'UNCLASSIFIED' };
  await server.ask('SA').put('/api/missions', { ...lower, reason: 'exercise, wrongly marked' });

  await db.insertInto('jobs').values(jobRow(mission)).execute();
  await server.work();
  expect(await labelOf(mission)).toBe(1);

  await db.updateTable('missions').set({ stream_mark: 1 }).where('id', '=', mission._id).execute();
  await db.insertInto('jobs').values(jobRow(mission)).execute();
  await server.work();
  expect(await labelOf(mission)).toBe(2);
});

const jobRow = (mission: Mission) => ({
  kind: 'ingest',
  mission_id: mission._id,
  sensor_id: mission.sensors[0]!._id,
  file_id: null,
  error: null,
  created: Date.now() * 1000,
  heartbeat: null,
});

itWithData('T-091 hostile KLV is flagged or null, and touches no other mission', async () => {
  const other = await server.record({ name: 'OtherMission', ...everybody }, [
    { path: await flight('other', 'UNCLASSIFIED') },
  ]);
  const before = (await server.ask('SA').get<Mission>(`/api/missions/${other.mission._id}`)).body;
  const hostile = readdirSync(testData('bad/klv')).map((name) => readFileSync(testData(`bad/klv/${name}`)));
  const wrongSum = position(3);
  wrongSum[wrongSum.length - 1]! ^= 0xff;
  const path = await klvStream('hostile', [
    position(0),
    ...hostile,
    wrongSum,
    position(1, { '3': 'OtherMission', '10': 'OtherMission' }),
    position(2),
  ]);

  const { mission } = await server.record({ name: 'hostile', ...everybody }, [{ path }]);

  expect(mission.state).toBe('Ready');
  // secret_marked.klv is one of them.
  expect(await labelOf(mission)).toBe(4);
  const place = `${mission._id}/${mission.sensors[0]!._id}`;
  const health = (await server.ask('SA').get<KlvHealth>(`/api/sensors/klv-health/${place}`)).body;
  expect(health.checksum.bad).toBeGreaterThan(0);
  expect(health.faults.length).toBeGreaterThan(0);
  const telemetry = (await server.ask('SA').get<TelemetryPage>(`/api/sensors/telemetry/${place}`)).body;
  const numbers = Object.values(telemetry.tags).flat();
  expect(numbers.every((value) => value === null || typeof value === 'string' || Number.isFinite(value))).toBe(true);
  const after = (await server.ask('SA').get<Mission>(`/api/missions/${other.mission._id}`)).body;
  expect({ ...after, accessToken: null }).toEqual({ ...before, accessToken: null });
});
