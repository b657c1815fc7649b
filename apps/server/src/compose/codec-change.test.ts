import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mission, PlatformControlled } from '@osprey/contract';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { randomOf } from '../../../../tools/simulator/src/random.ts';
import { readPlaylist } from '../../../../tools/test-support/hls-checker.ts';
import { sendPaced } from '../../../../tools/test-support/paced-sender.ts';
import { atEnd } from '../../test/cleanup.ts';
import { type Coding, codedFlight, picturesOf } from '../../test/coded-flight.ts';
import { flightBytes } from '../../test/flight.ts';
import { fly, placeOf } from '../../test/flights.ts';
import { liveServer } from '../../test/live-server.ts';
import { liveViewer, ticketOf } from '../../test/live-viewers.ts';
import { codecsIn, picturesIn } from '../../test/played.ts';
import type { TestServer } from '../../test/server.ts';
import { whepViewer } from '../../test/whep-client.ts';
import { originalKey } from '../base/storage/originals.ts';
import type { RecordedFile } from '../recorder-wire/protocol.ts';
import { composeGateway } from './gateway.ts';

const FFMPEG = '/usr/bin/ffmpeg';
const isThere = existsSync(FFMPEG);
if (!isThere) process.stderr.write('Skipped: streams that change their coding need ffmpeg\n');

const GOOD = ['KEA-1', 'KEA-2', 'KEA-3'];
const CHANGING = 'TUI';
const CODINGS: readonly Coding[] = ['h264', 'hevc', 'h264', 'mpeg2video', 'h264'];
/** Seconds of each coding but the last, which goes on until all has been seen. */
const SECONDS = 3;
const H264 = 'H.264';
const NO_H264 = 'This stream is not H.264 video, which is what WebRTC shows here.';
/** Longest pause of pictures that come 25 times a second. */
const SILENT_MS = 1500;
const WAIT = { timeout: 60_000, interval: 50 };

type Watching = { server: TestServer; address: string; sensorId: string; isOver: () => boolean };

/** A page that watches at low latency: after a refusal it watches again when the coding is another. */
function lowLatencyPlayer({ server, address, sensorId, isOver }: Watching) {
  const seen = { types: [] as string[], reasons: [] as string[], messages: 0 };

  async function watch(): Promise<void> {
    const viewer = await liveViewer(address, { ticket: await ticketOf(server, 'SA'), sensor: sensorId, video: true });
    const before = seen.types.length;
    while (!isOver() && viewer.socket.readyState === viewer.socket.OPEN) {
      const types = viewer.of('video').map(({ mimeType }) => /"(\w+)/.exec(mimeType)![1]!);
      seen.types.splice(before, types.length, ...types);
      seen.messages = viewer.media.length;
      await step();
    }
    seen.reasons.push(...viewer.of('end').map(({ text }) => text));
    viewer.socket.terminate();
    while (!isOver() && server.coordination.mirror.source(sensorId)?.video?.codec === 'mpeg2') await step();
  }

  return { seen, done: until(isOver, watch) };
}

/** A page that watches by WHEP, and asks again where it is refused, or where nothing comes any more. */
function whepPlayer({ server, address, sensorId, isOver }: Watching) {
  const seen = { answers: [] as string[], pictures: 0 };

  async function watch(): Promise<void> {
    const viewer = await whepViewer(address, sensorId, server.headersOf('SA'));
    const answer = viewer.status === 201 ? H264 : (JSON.parse(viewer.body) as { text: string }).text;
    if (answer !== seen.answers.at(-1)) seen.answers.push(answer);
    const opened = performance.now();
    const isSilent = () => performance.now() - Math.max(opened, viewer.lastMs()) > SILENT_MS;
    while (!isOver() && answer === H264 && !isSilent()) {
      seen.pictures = viewer.pictures.length;
      await step();
    }
    await viewer.close();
    await step();
  }

  return { seen, done: until(isOver, watch) };
}

/** Codings of the segments in the list with rewind, each once for as long as it stays. */
async function listedCodings({ server, address, sensorId }: Watching): Promise<string[]> {
  const headers = server.headersOf('SA');
  const get = (file: string) => fetch(`${address}/api/live/${sensorId}/${file}`, { headers });
  const codings: string[] = [];
  for (const { uri, discontinuity } of readPlaylist(await (await get('index.m3u8')).text()).segments) {
    const answer = await get(uri!);
    const found = codecsIn(Buffer.from(await answer.arrayBuffer()));
    expect(found).toHaveLength(1);
    const [coding] = found[0]!.split(' ');
    if (coding === codings.at(-1)) expect(discontinuity).toBe(false);
    else codings.push(coding!);
  }
  return codings;
}

async function until(isOver: () => boolean, watch: () => Promise<void>): Promise<void> {
  while (!isOver()) await watch();
}

const step = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Packets with sync bytes, and nothing in them that means anything. */
function noise(packets: number): Buffer {
  const random = randomOf(5);
  return Buffer.from(
    Array.from({ length: packets * 188 }, (_, n) => (n % 188 === 0 ? 0x47 : Math.floor(random() * 256))),
  );
}

it.skipIf(!isThere)(
  'T-086 a stream that changes H.264 to HEVC and MPEG-2 and back, sends noise and stalls is recorded in files of one coding each, and takes nothing from three good ones',
  { tags: 'long', timeout: 240_000 },
  async () => {
    const pieces = codedFlight(CODINGS, SECONDS);
    const { server, address, ports, sensors } = await liveServer([...GOOD, CHANGING]);
    const gateway = composeGateway({ config: server.dependencies.config, log: pino({ level: 'silent' }) });
    await gateway.start();
    atEnd(gateway.close);
    const sensorId = sensors.at(-1)!;
    const { mirror } = server.coordination;
    const control = async (command: 'start' | 'stop', body: object) => {
      const url = `/api/platforms/control?command=${command}`;
      const answer = await server.asUser('SA').inject({ method: 'POST', url, payload: body });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json() as PlatformControlled;
    };
    await expect.poll(() => sensors.map((id) => mirror.source(id)?.state), WAIT).not.toContain(undefined);
    for (const platformName of [...GOOD, CHANGING]) await control('start', { platformName, record: true });
    const recorded = sensors.map((id) => mirror.recordedAs(id)!);
    const filesOf = (n: number): RecordedFile[] => mirror.recordedAs(sensors[n]!)?.sensor.files ?? [];
    const good = await Promise.all(GOOD.map((_, n) => fly(flightBytes({ seconds: 120 }), ports[n]!)));

    const changing = await sendPaced({ bytes: Buffer.concat(pieces.slice(0, -1)), port: ports[3]! });
    atEnd(() => changing.stop());
    await expect.poll(() => mirror.source(sensorId)?.video?.codec, WAIT).toBe('h264');
    let isOver = false;
    const watching = { server, address, sensorId, isOver: () => isOver };
    const low = lowLatencyPlayer(watching);
    const whep = whepPlayer(watching);
    const players = Promise.allSettled([low.done, whep.done]);
    atEnd(async () => {
      isOver = true;
      await players;
    });
    await changing.done;
    const last = await sendPaced({ bytes: pieces.at(-1)!, port: ports[3]!, rounds: 100 });
    atEnd(() => last.stop());

    // Each goes on, or gets the reason why not and goes on when it can.
    await expect.poll(() => low.seen.types, WAIT).toEqual(['avc1', 'hvc1', 'avc1', 'avc1']);
    // Sent again if it asks before the new coding of the stream is known.
    expect(new Set(low.seen.reasons)).toEqual(new Set(['This stream is MPEG-2 video, which browsers do not play.']));
    await expect.poll(() => low.seen.messages, WAIT).toBeGreaterThan(25);
    await expect.poll(() => whep.seen.answers.length > 2 && whep.seen.pictures, WAIT).toBeGreaterThan(25);
    // Between the first and the last answer WebRTC may have been refused at any time.
    expect(new Set(whep.seen.answers)).toEqual(new Set([H264, NO_H264]));
    expect([whep.seen.answers[0], whep.seen.answers.at(-1)]).toEqual([H264, H264]);

    // Each listed segment is of one coding, with a break where that changes; the last coding is listed with its first
    // whole segment.
    await expect.poll(() => listedCodings(watching), WAIT).toEqual(CODINGS);

    const rubbish = await sendPaced({ bytes: noise(700), port: ports[3]! });
    await rubbish.done;
    await last.stop();
    await expect.poll(() => mirror.source(sensorId)?.state, WAIT).toBe('lost');
    isOver = true;
    expect(await players).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
    await Promise.all(good.map((flight) => flight.stop()));
    for (const n of sensors.keys()) {
      await expect.poll(() => filesOf(n).every(({ endedUs }) => endedUs !== null), WAIT).toBe(true);
    }
    const files = sensors.map((_, n) => filesOf(n));
    for (const platformName of [...GOOD, CHANGING]) await control('stop', { platformName });

    const read = (n: number, { fileId }: RecordedFile) =>
      readFile(join(server.dataDir, 'files', originalKey(recorded[n]!.sensor.sensorId, fileId)));
    for (const n of GOOD.keys()) {
      let recordedTo = 0;
      for (const file of files[n]!) {
        expect(file).toMatchObject({ indexed: true, suspect: false });
        const { start, end } = placeOf(good[n]!.bytes, await read(n, file));
        expect(start).toBe(recordedTo);
        recordedTo = end;
      }
      expect(recordedTo).toBe(good[n]!.sentBytes());
    }
    const changed = [];
    for (const file of files[3]!) {
      const bytes = await read(3, file);
      expect(file).toMatchObject({ indexed: true, suspect: false });
      changed.push({ codings: codecsIn(bytes), pictures: picturesIn(bytes) });
    }
    expect(changed.map((one) => one.codings)).toEqual(CODINGS.map((coding) => [`${coding} yuv420p`]));
    expect(changed.slice(0, -1).map(({ pictures }) => pictures)).toEqual(Array(4).fill(picturesOf(SECONDS)));
    expect(changed.at(-1)!.pictures).toBeGreaterThanOrEqual(25);
    const missionId = recorded[3]!.recording.missionId;
    const mission = (
      await server.asUser('SA').inject({ method: 'GET', url: `/api/missions/${missionId}` })
    ).json() as Mission;
    expect(mission.sensors[0]!.assets.map(({ _id }) => _id)).toEqual(files[3]!.map(({ fileId }) => fileId));
    process.stdout.write('T-086: 3 recordings beside a stream that changes its coding lost no packet\n');
  },
);
