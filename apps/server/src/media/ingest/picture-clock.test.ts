import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, SensorTimeline } from '@osprey/contract';
import { encodeSt0601, itemBytes, withItems } from '@osprey/klv';
import { createMuxer } from '@osprey/mpegts';
import { afterAll, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { picture } from '../../../test/transport.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-stamps-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const START_US = Date.UTC(2024, 2, 1) * 1000;
const STEP_US = 100_000;

/** A picture with a time stamp of ST 0604 before its first slice. */
function stamped(n: number, timeUs: number, status: number): Uint8Array {
  const time = timeUs.toString(16).padStart(16, '0').match(/..../g)!.join('ff');
  const sei = `0000000106051c${Buffer.from('MISPmicrosectime').toString('hex')}${status.toString(16)}${time}80`;
  const complete = Buffer.from(picture(n % 10 === 0, 200));
  const slice = complete.indexOf(Buffer.from(n % 10 === 0 ? '0000000165' : '0000000141', 'hex'));
  return Buffer.concat([complete.subarray(0, slice), Buffer.from(sei, 'hex'), complete.subarray(slice)]);
}

/** `klvUnits`: units of the KLV clock in a microsecond. */
type Flight = { klvStartUs?: number; klvUnits?: number; stampStartUs?: number; status?: number };

async function answers(path: string) {
  const { mission } = await server.record({ name: crypto.randomUUID() }, [{ path }]);
  const ask = async <T>(what: string) =>
    (await get<T>(`/api/sensors/${what}/${mission._id}/${mission.sensors[0]!._id}`)).body;
  const { findings } = await ask<KlvHealth>('klv-health');
  return { timeline: await ask<SensorTimeline>('timeline'), texts: findings.map(({ text }) => text).join('\n') };
}

/** A set with any number for its time. */
function setAt(time: bigint): Uint8Array {
  const value = Buffer.alloc(8);
  value.writeBigUInt64BE(time);
  const set = encodeSt0601({ 13: 50, 14: 8 });
  return withItems(set, 0, set.length, [itemBytes(2, value)]);
}

async function recorded({ klvStartUs, klvUnits = 1, stampStartUs = START_US, status = 0x1f }: Flight) {
  const parts: Uint8Array[] = [];
  const streams = [
    { pid: 256, kind: 'h264' as const },
    { pid: 257, kind: 'klvAsync' as const },
  ];
  const muxer = createMuxer({ streams, write: (bytes) => parts.push(bytes.slice()) });
  for (let n = 0; n < 40; n += 1) {
    const ptsTicks = 900_000 + n * 9000;
    muxer.unit({ pid: 256, ptsTicks, keyframe: n % 10 === 0, bytes: stamped(n, stampStartUs + n * STEP_US, status) });
    if (klvStartUs === undefined) continue;
    muxer.unit({ pid: 257, ptsTicks, bytes: setAt(BigInt(klvStartUs + n * STEP_US) * BigInt(klvUnits)) });
  }
  muxer.end();
  const path = join(folder, `${crypto.randomUUID()}.ts`);
  await writeFile(path, Buffer.concat(parts));
  return answers(path);
}

it('takes KLV in nanoseconds as such, and says so', async () => {
  const { timeline, texts } = await recorded({ klvStartUs: START_US, klvUnits: 1000, status: 0xff });

  expect(timeline).toMatchObject({ startTime: START_US, timeSource: 'klv' });
  expect(texts).toContain(
    'The time stamps are nanoseconds, where the standard has microseconds; they are read as such.',
  );
  expect(texts).not.toContain('No set has a time stamp');
});

it('says that time stamps lie after the year 9999, rather than that there are none', async () => {
  const { texts } = await recorded({ klvStartUs: 4_200_000_000_000_000, klvUnits: 1000 });

  expect(texts).toContain('The telemetry clock is not used: The time stamps lie after the year 9999.');
});

it('dates a recording without telemetry by the time stamps of its pictures', async () => {
  const { timeline, texts } = await recorded({});

  expect(timeline).toMatchObject({ timeSource: 'picture', startTime: START_US, endTime: START_US + 4_000_000 });
  expect(texts).not.toContain('time stamps');
});

it('prefers the telemetry clock, and says nothing where both agree', async () => {
  const { timeline, texts } = await recorded({ klvStartUs: START_US });

  expect(timeline).toMatchObject({ timeSource: 'klv', startTime: START_US });
  expect(texts).not.toContain('time stamps');
});

it('says by how much telemetry and pictures disagree, and whether the clock of the pictures is locked', async () => {
  const { timeline, texts } = await recorded({
    klvStartUs: START_US,
    stampStartUs: START_US + 2_500_000,
    status: 0xdf,
  });

  expect(timeline).toMatchObject({ timeSource: 'klv', startTime: START_US });
  expect(texts).toContain(
    'the time stamps of the pictures (ST 0604) are 2.5 s later than the telemetry of the same frame',
  );
  expect(texts).toContain('40 of 40 time stamps of pictures come from a clock without a reference.');
  expect(texts).toContain('40 of 40 time stamps of pictures say that their clock jumped.');
  expect((await recorded({ status: 0x7f })).texts).toContain('say that their clock jumped, 40 of them back.');
});

it('does not believe stamps of a clock that was never set', async () => {
  const { timeline, texts } = await recorded({ stampStartUs: 1_000_000 });

  expect(timeline.timeSource).toBe('upload');
  expect(texts).toContain('the time stamps of the pictures (ST 0604) are not used');
});

itWithData.each([
  ['ts/kwiver/h264_no_klv.ts', 'picture'],
  ['ts/kwiver/h264_klv.ts', 'klv'],
])('%s begins at the time of its first picture', async (path, timeSource) => {
  const { timeline, texts } = await answers(testData(path));

  expect(timeline).toMatchObject({ timeSource, startTime: 1_224_807_209_913_000 });
  expect(texts).not.toContain('later than the telemetry');
  expect(texts).not.toContain('earlier than the telemetry');
});
