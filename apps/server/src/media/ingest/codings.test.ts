import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, TelemetryPage } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import type { MuxerStream } from '@osprey/mpegts';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { containerFile, testPictures } from '../../../test/containers.ts';
import { codecsIn, picturesIn } from '../../../test/played.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { written } from '../../../test/remux.ts';
import { judgeFile } from '../../uploads/sniff.ts';

const server = await recordingServer();
const { get } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-codings-'));
atEnd(() => rm(folder, { recursive: true, force: true }));
const hasFfmpeg = existsSync('/usr/bin/ffmpeg');
const itWithFfmpeg = it.skipIf(!hasFfmpeg);
const itConverts = existsSync('/usr/bin/ffmpeg') ? itWithData : it.skip;

async function record(path: string) {
  const { mission, failures } = await server.record({ name: crypto.randomUUID() }, [{ path }]);
  const sensor = mission.sensors[0]!;
  const ask = async <T>(what: string) => (await get<T>(`/api/sensors/${what}/${mission._id}/${sensor._id}`)).body;
  return {
    sensor,
    failures,
    health: await ask<KlvHealth>('klv-health'),
    telemetry: await ask<TelemetryPage>('telemetry'),
  };
}

itConverts.each([
  ['mpeg4-part2.ts', 0],
  ['mpeg4-part2-klv.ts', 75],
])('field/%s, MPEG-4 part 2, is converted and plays with %i sets', async (name, sets) => {
  const { sensor, failures, health, telemetry } = await record(testData(`field/${name}`));
  const playlist = (await get<string>(sensor.hlsProps!.url)).body;
  const lines = playlist.split('\n').filter((line) => /^[0-9a-f-]{36}.*\.ts/.test(line));
  let pictures = 0;
  for (const line of lines) {
    const bytes = (await get(`/api/media/${sensor._id}/${line}`)).raw;
    pictures += picturesIn(bytes);
    expect(codecsIn(bytes)[0]).toBe('h264 yuv420p');
  }

  expect(failures).toEqual([]);
  expect(sensor).toMatchObject({ state: 'Ready', hlsProps: { renditions: [{ codec: 'mpeg4' }] } });
  expect([pictures, health.sets, telemetry.time.length]).toEqual([75, sets, sets]);
});

itWithFfmpeg('H.265 without its video parameter sets is kept, and not said to be refused', async () => {
  const coded = ['-c:v', 'libx265', '-x265-params', 'log-level=none:keyint=25:repeat-headers=1', '-pix_fmt', 'yuv420p'];
  // NAL units of type 32 are the video parameter sets.
  const bare = ['-an', ...coded, '-bsf:v', 'filter_units=remove_types=32'];
  const path = join(folder, 'without-vps.ts');
  await writeFile(path, containerFile('without-vps.ts', [...testPictures(2), ...bare]));

  const { sensor, failures, health } = await record(path);

  const sentence = 'The video could not be converted: the decoder failed. The file is kept, without pictures to play.';
  expect(failures).toEqual([sentence]);
  expect(sensor).toMatchObject({ state: 'Ready', hlsProps: null, assets: [{ name: 'without-vps.ts' }] });
  expect(JSON.stringify({ sensor, health })).not.toContain('refused');
});

const klv: MuxerStream = { pid: 257, kind: 'klvAsync' };
const unread: [string, MuxerStream][] = [
  ['H.266 (VVC)', { pid: 256, kind: 'other', streamType: 0x33 }],
  ['JPEG 2000', { pid: 256, kind: 'other', streamType: 0x21 }],
];
const set = (n: number) => encodeSt0601({ 2: 1_700_000_000_000_000 + n * 40_000, 13: 50, 14: 8, 65: 19 });
const units = (count: number) =>
  Array.from({ length: count }, (_, n) => [
    { pid: 256, ptsTicks: 900_000 + n * 3600, bytes: new Uint8Array(500).fill(n) },
    { pid: 257, ptsTicks: 900_000 + n * 3600, bytes: set(n) },
  ]).flat();

it.each(unread)('%s in a transport stream is named, with what to do', (name, video) => {
  const bytes = written(
    { streams: [video] },
    units(25).filter(({ pid }) => pid === 256),
  );

  expect(() => judgeFile(bytes, { complete: true })).toThrow(
    `its video is ${name}, which is not read: convert it to H.264 first`,
  );
});

it.each(unread)('%s with KLV shows the telemetry, and names what is missing', async (name, video) => {
  const path = join(folder, `${crypto.randomUUID()}.ts`);
  await writeFile(path, written({ streams: [video, klv] }, units(50)));

  const { sensor, health } = await record(path);

  expect(sensor.state).toBe('Ready');
  expect(health.sets).toBe(50);
  expect(health.findings.map(({ text }) => text).join()).toContain(
    `its video is ${name}, which is not read: convert it to H.264 first.`,
  );
});
