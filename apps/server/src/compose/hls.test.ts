import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDemuxer } from '@osprey/mpegts';
import { simulateToFile } from '@osprey/simulator';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import {
  faultsBetween,
  faultsOf,
  lastPlace,
  type ReadPlaylist,
  readPlaylist,
} from '../../../../tools/test-support/hls-checker.ts';
import { type PacedSender, sendPaced } from '../../../../tools/test-support/paced-sender.ts';
import { atEnd } from '../../test/cleanup.ts';
import { type TestServer, testServer } from '../../test/server.ts';
import { readConfig } from '../config.ts';
import { composeRecorder } from './recorder.ts';

/** A minute shows more; half of it is before the restart of the source. */
const SECONDS = Number(process.env.OSPREY_LIVE_SECONDS ?? 20);
const PATIENCE_MS = SECONDS * 1000 + 100_000;
/** A player that has not ended by then hangs. */
const PLAYER_MS = 40_000;
const run = promisify(execFile);

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  return port;
}

/** Server and recorder as main.ts runs them, in one process, with one camera that sends to a port of ours. */
async function liveServer() {
  const server = await testServer();
  const address = await server.listen();
  const config = { ...readConfig({ OSPREY_DATA: server.dataDir }), sourceAllow: ['127.0.0.0/8'] };
  const log = pino({ level: process.env.OSPREY_TEST_LOG ?? 'silent' });
  const recorder = await composeRecorder({ config, log, onEnd: () => undefined });
  await recorder.start();
  atEnd(recorder.close);
  const port = await freeUdpPort();
  const sensorId = await configure(server, port);
  const headers = server.headersOf('U1');
  const get = (file: string) => fetch(`${address}/api/live/${sensorId}/${file}`, { headers });
  return { server, address, sensorId, port, headers, get };
}

type LiveServer = Awaited<ReturnType<typeof liveServer>>;

async function configure(server: TestServer, port: number): Promise<string> {
  const text = `
platforms:
  - name: KEA-1
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: true
    sensors:
      - { name: EO, url: "udp://127.0.0.1:${port}" }
`;
  const answer = await server.asUser('SA').inject({
    method: 'POST',
    url: '/api/upload/platformsConfig',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: `--x\r\ncontent-disposition: form-data; name="platforms"; filename="p"\r\n\r\n${text}\r\n--x--\r\n`,
  });
  expect(answer.json()).toMatchObject({ valid: true });
  return (await server.db.selectFrom('platform_sensors').select('id').executeTakeFirstOrThrow()).id;
}

/** A player that always asks for what comes next, and notes what is wrong with what it gets. */
function follow({ get }: LiveServer) {
  const faults: string[] = [];
  /** How old the end of a playlist was when it came, in seconds. */
  const ages: number[] = [];
  let before: ReadPlaylist | null = null;
  let unanswered = 0;
  let stopped = false;

  async function once(): Promise<void> {
    const last = before?.segments.at(-1);
    const [msn, part] = last?.uri === null ? [last.n, last.parts.length] : [(last?.n ?? 0) + 1, 0];
    const answer = await get(`index.m3u8?mode=ll${before === null ? '' : `&_HLS_msn=${msn}&_HLS_part=${part}`}`);
    const list = readPlaylist(await answer.text());
    // A stream that stopped: what was waited for did not come, and the list is the last one.
    if (before !== null && lastPlace(list) < msn + part / 1000) unanswered += 1;
    else if (before !== null) ages.push((Date.now() - endOf(list)) / 1000);
    faults.push(...faultsOf(list), ...(before === null ? [] : faultsBetween(before, list)));
    before = list;
  }

  const following = (async () => {
    while (!stopped) await once();
  })();
  return {
    faults,
    ages,
    /** Reloads that were answered without what they asked for. */
    unanswered: () => unanswered,
    parts: () => (before === null ? -1 : lastPlace(before)),
    async stop() {
      stopped = true;
      await following;
    },
  };
}

function endOf({ segments }: ReadPlaylist): number {
  const last = segments.at(-1)!;
  const length = last.durationSeconds ?? last.parts.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  return last.dateMs! + length * 1000;
}

/** The stream for players that send no header of ours; `list`: in place of the playlist. */
async function openly({ get }: LiveServer, list: string | null): Promise<string> {
  const server = createServer((request, reply) => {
    const file = request.url!.slice(1);
    if (file === 'index.m3u8') reply.setHeader('content-type', 'application/vnd.apple.mpegurl');
    if (file === 'index.m3u8' && list !== null) return void reply.end(list);
    get(file)
      .then(async (answer) => reply.end(Buffer.from(await answer.arrayBuffer())))
      // Players leave in the middle of a list that waits.
      .catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.m3u8`;
}

/** The playlist as it is now and ends here, with everything that it names, for players that cannot wait for an end. */
async function closedWindow(live: LiveServer) {
  const text = `${await (await live.get('index.m3u8')).text()}#EXT-X-ENDLIST\n`;
  return { url: await openly(live, text), list: readPlaylist(text) };
}

async function picturesOf({ get }: LiveServer, list: ReadPlaylist): Promise<number> {
  let pictures = 0;
  for (const { uri } of list.segments) {
    const demuxer = createDemuxer({
      accessUnit: () => {
        pictures += 1;
      },
    });
    demuxer.push(new Uint8Array(await (await get(uri!)).arrayBuffer()));
    expect(demuxer.end().faults.continuityErrors).toBe(0);
  }
  return pictures;
}

const probe = (args: string[]) =>
  run('ffprobe', [
    ...['-v', 'error', '-select_streams', 'v', '-count_packets', '-show_entries', 'stream=nb_read_packets'],
    ...['-of', 'default=nokey=1:noprint_wrappers=1', ...args],
  ]).then(({ stdout }) => Number(stdout.trim().split('\n')[0]));

const read = (url: string) => [
  ...['-v', 'souphttpsrc', `location=${url}`, '!', 'hlsdemux', '!', 'tsdemux', '!', 'h264parse'],
  ...['!', 'video/x-h264,alignment=au', '!', 'fakesink', 'silent=false', 'sync=false'],
];
const picturesIn = (said: string): number => said.match(/chain +\*{7}/g)?.length ?? 0;

const gstreamer = (url: string) =>
  run('gst-launch-1.0', read(url), { maxBuffer: 64 * 1024 * 1024 }).then(({ stdout }) => picturesIn(stdout));

/** What a player of a stream that does not end says until it has shown enough; all of it where it ends before. */
async function saidUntil(isEnough: (said: string) => boolean, [program, args]: [string, string[]]): Promise<string> {
  const env = { ...process.env, SDL_VIDEODRIVER: 'dummy', SDL_AUDIODRIVER: 'dummy' };
  const player = spawn(program, args, { env, timeout: PLAYER_MS });
  let said = '';
  for (const output of [player.stdout, player.stderr]) {
    output.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (isEnough(said)) player.kill();
    });
  }
  await once(player, 'close');
  return said;
}

/** Seconds over which the clock of ffplay went. */
function playedSeconds(said: string): number {
  const clocks = [...said.matchAll(/(\d+\.\d+) M-V:/g)].map(([, clock]) => Number(clock));
  return clocks.length === 0 ? 0 : clocks.at(-1)! - clocks[0]!;
}

describe('a live stream by HLS', () => {
  it(`keeps what both standards ask for ${SECONDS} s and a restart of its source, and others read the same pictures`, {
    timeout: PATIENCE_MS,
  }, async () => {
    const live = await liveServer();
    const path = join(live.server.dataDir, 'flight.ts');
    await simulateToFile({ seconds: 8, width: 320, height: 180, gop: 25 }, path);
    const bytes = await readFile(path);
    const send = (): Promise<PacedSender> => sendPaced({ bytes, port: live.port, rounds: 100 });
    let sender = await send();
    atEnd(() => sender.stop());
    await expect.poll(() => live.get('index.m3u8?mode=ll').then(({ status }) => status), { timeout: 30_000 }).toBe(200);

    const player = follow(live);
    const half = (SECONDS / 2) * 1000;
    await expect.poll(player.parts, { timeout: half + 20_000 }).toBeGreaterThan(0);
    const first = player.parts();
    await expect.poll(player.parts, { timeout: half + 20_000 }).toBeGreaterThan(first + half / 2000 - 1);
    await sender.stop();
    await expect.poll(player.unanswered, { timeout: 20_000 }).toBe(1);
    const broken = player.parts();
    sender = await send();
    await expect.poll(player.parts, { timeout: half + 20_000 }).toBeGreaterThan(broken + half / 2000 - 1);
    const authorized = ['-headers', `Authorization: ${live.headers.authorization}\r\n`, '-read_intervals', '%+2'];
    const url = `${live.address}/api/live/${live.sensorId}/index.m3u8`;
    expect(await probe([...authorized, url])).toBeGreaterThan(25);
    const ffplay = ['-v', 'error', '-stats', '-autoexit', ...authorized.slice(0, 2), url];
    const seen = await saidUntil((said) => playedSeconds(said) > 3, ['ffplay', ffplay]);
    expect(playedSeconds(seen)).toBeGreaterThan(3);
    // Its statistics are one line that is written again and again.
    expect(seen.split(/[\r\n]+/).filter((line) => !/^ *(?:$|nan\b|\d+\.\d+ )/.test(line))).toEqual([]);
    // It begins three segments before the end: so many pictures come only with a later list.
    const listed = await saidUntil(
      (said) => picturesIn(said) > 200,
      ['gst-launch-1.0', read(await openly(live, null))],
    );
    expect(picturesIn(listed)).toBeGreaterThan(200);
    expect(player.unanswered()).toBe(1);
    await sender.stop();
    await player.stop();

    expect(player.faults).toEqual([]);
    // A part too many to wait for would move each age; four players that start beside it move a few.
    const ages = player.ages.sort((a, b) => a - b);
    expect(at(ages, 0.5)).toBeLessThan(1);
    expect(at(ages, 0.95)).toBeLessThan(3);

    const window = await closedWindow(live);
    expect(faultsOf(window.list)).toEqual([]);
    expect(window.list.segments.filter(({ discontinuity }) => discontinuity)).toHaveLength(1);
    const pictures = await picturesOf(live, window.list);
    expect(pictures).toBeGreaterThan((SECONDS - 6) * 25);
    expect(await probe([window.url])).toBe(pictures);
    expect(await gstreamer(window.url)).toBe(pictures);
  });
});

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)]!;
