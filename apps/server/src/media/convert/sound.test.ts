import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemuxer } from '@osprey/mpegts';
import { afterAll, describe, expect, it } from 'vitest';
import { codecsIn, picturesIn, recorded } from '../../../test/played.ts';
import { recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer();
const folder = await mkdtemp(join(tmpdir(), 'osprey-sound-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A recording of 4 s, 25 pictures a second, with sound, made by ffmpeg with these words. */
async function made(name: string, words: string[]): Promise<Buffer> {
  const path = join(folder, `${name}.ts`);
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25'];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
  const { stderr } = spawnSync('/usr/bin/ffmpeg', [
    ...['-v', 'error', ...picture, ...sound, '-t', '4'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', '-ac', '2'],
    ...[...words, '-f', 'mpegts', path],
  ]);
  expect(stderr.toString()).toBe('');
  return readFile(path);
}

/** The packets of a stream but those of a kind. */
function withoutPackets(bytes: Buffer, isLeftOut: (pid: number, offset: number) => boolean): Buffer {
  const packets = Array.from({ length: bytes.length / 188 }, (_, i) => bytes.subarray(i * 188, i * 188 + 188));
  return Buffer.concat(packets.filter((packet, i) => !isLeftOut(packet.readUInt16BE(1) & 0x1fff, i * 188)));
}

/** PTS of every picture, in the order of the stream. */
function timesIn(bytes: Uint8Array): (number | null)[] {
  const times: (number | null)[] = [];
  const demuxer = createDemuxer({ accessUnit: ({ ptsTicks }) => void times.push(ptsTicks) });
  demuxer.push(bytes);
  demuxer.end();
  return times;
}

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('a recording with sound', () => {
  async function getsAac(what: string, words: string[]) {
    const original = await made(what.replaceAll(' ', '-'), words);
    const { failures, segments, sensor } = await recorded(server, folder, original);

    expect(failures).toEqual([]);
    expect(sensor).toMatchObject({ state: 'Ready', message: null });
    expect(codecsIn(segments[0]!)).toEqual(['h264 yuv420p', 'aac']);
    expect(timesIn(Buffer.concat(segments))).toEqual(timesIn(original));
    expect(segments.reduce((sum, segment) => sum + picturesIn(segment), 0)).toBe(100);
  }

  const gets = 'of %s gets AAC, and keeps its pictures';
  it.each([['AC-3 of ATSC', ['-c:a', 'ac3']]])(gets, getsAac);
  it.each([
    ['AAC in LATM', ['-c:a', 'aac', '-mpegts_flags', 'latm']],
    ['AC-3 named as DVB does', ['-c:a', 'ac3', '-mpegts_flags', 'system_b']],
    ['E-AC-3', ['-c:a', 'eac3']],
  ])(gets, { tags: 'long' }, getsAac);

  it('that begins after the first segment plays without it, and says so', async () => {
    const complete = await made('late', ['-c:a', 'aac']);
    const original = withoutPackets(complete, (pid, offset) => pid === 0x101 && offset < complete.length * 0.7);
    const { playlist, segments, health } = await recorded(server, folder, original);

    expect(playlist).not.toContain('#EXT-X-BYTERANGE');
    expect(segments.map((segment) => codecsIn(segment))).toEqual(segments.map(() => ['h264 yuv420p']));
    expect(segments.reduce((sum, segment) => sum + picturesIn(segment), 0)).toBe(100);
    expect(health.findings.map(({ text }) => text).join(' ')).toContain('Sound begins only later');
  });

  it('after a part without one plays without it, since browsers take none into what began silent', async () => {
    const first = join(folder, 'a-silent.ts');
    const second = join(folder, 'b-loud.ts');
    await writeFile(first, await made('silent', ['-an']));
    await writeFile(second, await made('loud', ['-c:a', 'aac']));
    const { mission } = await server.record({ name: 'silent-first' }, [{ path: first }, { path: second }]);
    const { get } = server.ask('SA');
    const { body: playlist } = await get<string>(mission.sensors[0]!.hlsProps!.url);
    const addresses = playlist.split('\n').filter((line) => /^[0-9a-f-]{36}\/\d+\.ts/.test(line));

    const cut = await Promise.all(addresses.map((one) => get(`/api/media/${mission.sensors[0]!._id}/${one}`)));

    expect(cut.length).toBeGreaterThan(0);
    expect(cut.map(({ raw }) => codecsIn(raw))).toEqual(cut.map(() => ['h264 yuv420p']));
  });

  it('of MPEG layer II plays as stored', async () => {
    const { segments, playlist } = await recorded(server, folder, await made('layer-2', ['-c:a', 'mp2']));

    expect(playlist).toContain('#EXT-X-BYTERANGE');
    expect(codecsIn(segments[0]!)).toEqual(['h264 yuv420p', 'mp2']);
  });

  it('in a coding that is not known plays without it, and says so', async () => {
    const original = await made('opus', ['-c:a', 'libopus']);
    const { playlist, health } = await recorded(server, folder, original);

    expect(playlist).toContain('#EXT-X-BYTERANGE');
    expect(health.findings.map(({ text }) => text).join(' ')).toMatch(
      /sound of an unknown kind is left out \(PID 257\)/,
    );
  });

  it('in AAC and E-AC-3 plays with its AAC alone, since players stop at the other', async () => {
    const both = ['-map', '0:v', '-map', '1:a', '-map', '1:a', '-c:a:0', 'eac3', '-c:a:1', 'aac'];
    const { playlist, segments, failures } = await recorded(server, folder, await made('both', both));

    expect(failures).toEqual([]);
    expect(playlist).not.toContain('#EXT-X-BYTERANGE');
    expect(codecsIn(segments[0]!)).toEqual(['h264 yuv420p', 'aac']);
  });

  it('and pictures of 4:2:2 gets both converted', { tags: 'long' }, async () => {
    const { segments, failures } = await recorded(
      server,
      folder,
      await made('422', ['-pix_fmt', 'yuv422p', '-c:a', 'ac3']),
    );

    expect(failures).toEqual([]);
    expect(codecsIn(segments[0]!)).toEqual(['h264 yuv420p', 'aac']);
  });
});

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('the rate of pictures', () => {
  async function isThatOfTheTimes(_what: string, tickRate: string) {
    const words = ['-c:a', 'aac', '-bsf:v', `h264_metadata=tick_rate=${tickRate}`];
    const { timeline, sensor } = await recorded(
      server,
      folder,
      await made(`rate-${tickRate.replace('/', '-')}`, words),
    );

    expect(timeline.frameRate).toBeCloseTo(25, 3);
    expect(sensor.hlsProps?.renditions[0]).toMatchObject({ frameRate: timeline.frameRate });
  }

  const name = 'is what their times say where the encoder declares %s it';
  it.each([['twice', '100/1']])(name, isThatOfTheTimes);
  it.each([['a hundredth of', '1/2']])(name, { tags: 'long' }, isThatOfTheTimes);

  it('is what the encoder declares where their times agree', async () => {
    const { timeline } = await recorded(server, folder, await made('rate', ['-r', '30000/1001', '-c:a', 'aac']));

    expect(timeline.frameRate).toBe(30_000 / 1001);
  });
});
