import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KlvHealth, SensorTimeline, TelemetryPage } from '@osprey/contract';
import type { RecordingServer } from './recordings.ts';

/** Responses of the server about one recording after its jobs. */
export async function recorded(server: RecordingServer, folder: string, bytes: Uint8Array) {
  const { get } = server.ask('SA');
  const name = `m-${crypto.randomUUID()}`;
  const path = join(folder, `${name}.ts`);
  await writeFile(path, bytes);
  const { mission, failures } = await server.record({ name }, [{ path }]);
  const sensor = mission.sensors[0]!;
  const place = `${mission._id}/${sensor._id}`;
  const playlist = sensor.hlsProps ? (await get<string>(sensor.hlsProps.url)).body : '';
  const health = (await get<KlvHealth>(`/api/sensors/klv-health/${place}`)).body;
  const timeline = (await get<SensorTimeline>(`/api/sensors/timeline/${place}`)).body;
  const { time } = (await get<TelemetryPage>(`/api/sensors/telemetry/${place}`)).body;
  const segments = await segmentsOf(server, sensor._id, playlist);
  return { mission, sensor, failures, playlist, health, timeline, time, segments };
}

/** The bytes of each segment, as a player gets them. */
async function segmentsOf(server: RecordingServer, sensorId: string, playlist: string): Promise<Buffer[]> {
  const { get } = server.ask('SA');
  const segments: Buffer[] = [];
  let range = '';
  for (const line of playlist.split('\n')) {
    const [, size, start] = /^#EXT-X-BYTERANGE:(\d+)@(\d+)/.exec(line) ?? [];
    if (size && start) range = `bytes=${start}-${Number(start) + Number(size) - 1}`;
    if (!/^[0-9a-f-]{36}.*\.ts/.test(line)) continue;
    segments.push((await get(`/api/media/${sensorId}/${line}`, range ? { range } : {})).raw);
    range = '';
  }
  return segments;
}

/** Pictures that a decoder makes of a segment alone. */
export function picturesIn(bytes: Uint8Array): number {
  const words = ['-v', 'error', '-f', 'mpegts', '-count_frames', '-select_streams', 'v:0'];
  const entries = ['-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', '-'];
  const { stdout } = spawnSync('/usr/bin/ffprobe', [...words, ...entries], { input: bytes, maxBuffer: 1 << 26 });
  return Number(stdout.toString().split('\n')[0]!.replace(/\D/g, ''));
}

/** Codecs of the streams, and the pixel format of the pictures. */
export function codecsIn(bytes: Uint8Array): string[] {
  const words = ['-v', 'error', '-f', 'mpegts', '-show_entries', 'stream=codec_name,pix_fmt', '-of', 'json', '-'];
  const { stdout } = spawnSync('/usr/bin/ffprobe', words, { input: bytes, maxBuffer: 1 << 26 });
  const { streams } = JSON.parse(stdout.toString()) as { streams: { codec_name?: string; pix_fmt?: string }[] };
  return streams.map(({ codec_name, pix_fmt }) => [codec_name, pix_fmt].filter(Boolean).join(' '));
}
