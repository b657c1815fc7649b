import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SensorTimeline } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { containerFile, H264, testPictures } from '../../../test/containers.ts';
import { picturesIn } from '../../../test/played.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { zipOf } from '../../../test/zip-writer.ts';

const server = await recordingServer();
const { get } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-hls-'));
atEnd(() => rm(folder, { recursive: true, force: true }));
const BEGIN_US = Date.UTC(2023, 10, 14, 22, 13, 20) * 1000;

async function record(path: string) {
  const { mission, failures } = await server.record({ name: crypto.randomUUID() }, [{ path }]);
  const sensor = mission.sensors[0]!;
  const timeline = (await get<SensorTimeline>(`/api/sensors/timeline/${mission._id}/${sensor._id}`)).body;
  const playlist = sensor.hlsProps ? (await get<string>(sensor.hlsProps.url)).body : '';
  let pictures = 0;
  let range = '';
  for (const line of playlist.split('\n')) {
    const [, size, start] = /^#EXT-X-BYTERANGE:(\d+)@(\d+)/.exec(line) ?? [];
    if (size && start) range = `bytes=${start}-${Number(start) + Number(size) - 1}`;
    if (!/^[0-9a-f-]{36}.*\.ts/.test(line)) continue;
    pictures += picturesIn((await get(`/api/media/${sensor._id}/${line}`, range ? { range } : {})).raw);
    range = '';
  }
  return { mission, sensor, failures, timeline, pictures };
}

async function zipped(name: string, entries: { name: string; data: Buffer }[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, zipOf(entries));
  return path;
}

/** Segments of a second as ffmpeg writes them, by name. */
async function segments(kind: 'mpegts' | 'fmp4', seconds: number): Promise<Map<string, Buffer>> {
  const place = await mkdtemp(join(folder, 'hls-'));
  const words = ['-f', 'hls', '-hls_time', '1', '-hls_list_size', '0', '-hls_segment_type', kind];
  const args = ['-v', 'error', ...testPictures(seconds), ...H264, '-an', ...words, join(place, 'i.m3u8')];
  const { status, stderr } = spawnSync('/usr/bin/ffmpeg', args);
  if (status !== 0) throw new Error(String(stderr));
  return new Map((await readdir(place)).map((name) => [name, readFileSync(join(place, name))]));
}

const dated = (us: number) => `#EXT-X-PROGRAM-DATE-TIME:${new Date(us / 1000).toISOString()}`;

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('an HLS archive', () => {
  itWithData('begins when its playlist says, whatever the lengths of its segments are rounded to', async () => {
    const { sensor, timeline } = await record(testData('field/hls-pdt-each-rounded.zip'));

    expect(sensor).toMatchObject({ state: 'Ready', timeSource: 'playlist' });
    expect(timeline.startTime).toBe(BEGIN_US);
    expect(timeline.endTime).toBe(BEGIN_US + 28_800_000);
  });

  it('dates each segment, so that a pause is a pause', async () => {
    const files = await segments('mpegts', 4);
    const names = [...files.keys()].filter((name) => name.endsWith('.ts')).sort();
    // Recorded from 0 to 2 s and, an hour later, from 2 s to 4 s; the clock of the stream runs on.
    const lines = names.flatMap((name, n) => [dated(BEGIN_US + n * 1e6 + (n < 2 ? 0 : 3_600e6)), '#EXTINF:1,', name]);
    const list = { name: 'i.m3u8', data: Buffer.from(['#EXTM3U', ...lines].join('\n')) };
    const path = await zipped('pause.zip', [list, ...names.map((name) => ({ name, data: files.get(name)! }))]);

    const { timeline } = await record(path);

    expect(timeline.startTime).toBe(BEGIN_US);
    expect(timeline.endTime).toBe(BEGIN_US + 3_604e6);
    const anchors = timeline.runs.flatMap((run) => run.anchors);
    const utcOf = (seconds: number) => {
      const ticks = anchors[0]![0] + seconds * 90_000;
      const at = anchors.findLast(([from]) => from <= ticks)!;
      return Math.round(at[1] + (ticks - at[0]) / 0.09);
    };
    expect([utcOf(1.5), utcOf(2.5)]).toEqual([BEGIN_US + 1_500_000, BEGIN_US + 3_602_500_000]);
  });

  it('of fragmented MP4 plays, dated by its playlist', async () => {
    const files = await segments('fmp4', 3);
    const own = files.get('i.m3u8')!.toString().split('\n');
    let n = 0;
    const lines = own.flatMap((line) => (line.startsWith('#EXTINF') ? [dated(BEGIN_US + 1e6 * n++), line] : [line]));
    const path = await zipped('fmp4.zip', [
      { name: 'i.m3u8', data: Buffer.from(lines.join('\n')) },
      ...[...files].filter(([name]) => !name.endsWith('.m3u8')).map(([name, data]) => ({ name, data })),
    ]);

    const { sensor, timeline, pictures } = await record(path);

    expect(sensor).toMatchObject({
      state: 'Ready',
      timeSource: 'playlist',
      assets: [{ kind: 'mp4', name: 'fmp4.mp4' }],
    });
    expect([timeline.startTime, timeline.endTime - BEGIN_US]).toEqual([BEGIN_US, 3e6]);
    expect(pictures).toBe(75);
  });

  it('without a playlist gives its recordings, with their telemetry', async () => {
    const srt = [0, 1].map(
      (n) => `${n + 1}\n00:00:0${n},000 --> 00:00:0${n + 1},000\n[latitude: 50.000${n}] [longitude: 8.1]\n`,
    );
    const path = await zipped('card.zip', [
      { name: 'DCIM/DJI_0001.MP4', data: containerFile('a.mp4', [...testPictures(2), ...H264, '-an']) },
      { name: 'DCIM/DJI_0001.SRT', data: Buffer.from(srt.join('\n')) },
      { name: 'DCIM/DJI_0002.MP4', data: containerFile('a.mp4', [...testPictures(2), ...H264, '-an']) },
    ]);

    const { sensor, pictures, failures } = await record(path);

    expect(failures).toEqual([]);
    expect(sensor.assets.map(({ kind, name }) => [kind, name]).sort()).toEqual([
      ['mp4', 'DJI_0001.MP4'],
      ['mp4', 'DJI_0002.MP4'],
      ['sidecar', 'DJI_0001.SRT'],
    ]);
    expect(pictures).toBe(100);
    expect(sensor.klv?.text).toBe('Telemetry comes from DJI_0001.SRT: 2 records.');
  });

  it('whose .ts is an MP4 is refused with the name of it', async () => {
    const path = await zipped('lie.zip', [
      { name: 'flight.ts', data: containerFile('a.mp4', [...testPictures(0.2), ...H264, '-an']) },
    ]);

    const { failures } = await record(path);

    expect(failures).toEqual([
      'The archive was refused: it holds "flight.ts": it is not a transport stream, as its name says, but MP4 or MOV.',
    ]);
  });
});
