import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDemuxer } from '@osprey/mpegts';
import { simulateToFile } from '@osprey/simulator';
import { describe, expect, it } from 'vitest';
import {
  faultsBetween,
  faultsOf,
  lastPlace,
  type ReadPlaylist,
  readPlaylist,
  tableFaults,
} from '../../../../tools/test-support/hls-checker.ts';
import { type PacedSender, sendPaced } from '../../../../tools/test-support/paced-sender.ts';
import { percentile } from '../../../../tools/test-support/statistics.ts';
import { atEnd } from '../../test/cleanup.ts';
import { liveServer } from '../../test/live-server.ts';

/** Half of them before the restart of the source; 60 in a soak. */
const SECONDS = Number(process.env.OSPREY_LIVE_SECONDS ?? 10);
const PATIENCE_MS = SECONDS * 1000 + 100_000;
/** A player that has not ended by then hangs. */
const PLAYER_MS = 40_000;
/** liveStarting. */
const STARTING = 503;
const PMT_PID = 0x1000;
const run = promisify(execFile);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One camera, and its stream as a player gets it. */
async function oneCamera() {
  const { server, address, ports, sensors } = await liveServer(['KEA-1']);
  const [port, sensorId] = [ports[0]!, sensors[0]!];
  const headers = server.headersOf('U1');
  const get = (file: string) => fetch(`${address}/api/live/${sensorId}/${file}`, { headers });
  return { server, address, sensorId, port, headers, get };
}

type LiveCamera = Awaited<ReturnType<typeof oneCamera>>;

async function control({ server }: LiveCamera, command: 'start' | 'stop', payload: object): Promise<void> {
  const url = `/api/platforms/control?command=${command}`;
  const answer = await server.asUser('SA').inject({ method: 'POST', url, payload });
  expect(answer.statusCode, answer.body).toBe(200);
}

/** A player that always asks for what comes next in one of the lists, and notes what is wrong with what it gets. */
function follow({ get }: LiveCamera, mode: 'll' | 'dvr') {
  const faults: string[] = [];
  /** Kinds of listed segments: files of the ring, or pieces of those of a recording. */
  const listed: ('ring' | 'recording')[] = [];
  /** Segments whose bytes were read, but those that were forgotten meanwhile. */
  const read = new Set<string>();
  /** Age of the end of each playlist when it came, in seconds. */
  const ages: number[] = [];
  let before: ReadPlaylist | null = null;
  let unanswered = 0;
  let stopped = false;

  async function once(): Promise<void> {
    const last = before?.segments.at(-1);
    const [msn, part] = last?.uri === null ? [last.n, last.parts.length] : [(last?.n ?? 0) + 1, 0];
    const place = mode === 'll' ? `&_HLS_msn=${msn}&_HLS_part=${part}` : `&_HLS_msn=${msn}`;
    const answer = await get(`index.m3u8?mode=${mode}${before === null ? '' : place}`);
    // A recording has just begun, and has no segments yet.
    if (answer.status === STARTING) return void (await wait(1000 * Number(answer.headers.get('retry-after'))));
    const list = readPlaylist(await answer.text());
    // A stream that stopped: what was waited for did not come, and the list is the last one.
    if (before !== null && lastPlace(list) < msn + part / 1000) unanswered += 1;
    else if (before !== null) ages.push((Date.now() - endOf(list)) / 1000);
    faults.push(...faultsOf(list), ...(before === null ? [] : faultsBetween(before, list)));
    const source = /^\d+\.ts/.test(list.segments[0]?.uri ?? '') ? 'ring' : 'recording';
    if (source !== listed.at(-1)) listed.push(source);
    before = list;
    for (const { uri } of list.segments) if (uri !== null && !read.has(uri)) await readSegment(uri);
  }

  async function readSegment(uri: string): Promise<void> {
    const answer = await get(uri);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (!answer.ok) return;
    read.add(uri);
    faults.push(...tableFaults(bytes).map((fault) => `${uri} ${fault}`));
  }

  const following = (async () => {
    while (!stopped) await once();
  })();
  return {
    faults,
    listed,
    read,
    ages,
    segments: () => before?.segments.length ?? 0,
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
async function openly({ get }: LiveCamera, list: string | null): Promise<string> {
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
async function closedWindow(live: LiveCamera) {
  const text = `${await (await live.get('index.m3u8')).text()}#EXT-X-ENDLIST\n`;
  return { url: await openly(live, text), list: readPlaylist(text) };
}

/** The stream with its tables in front only. */
function tablesOnce(stream: Buffer): Buffer {
  const seen = new Set<number>();
  const packets = Array.from({ length: stream.length / 188 }, (_, i) => stream.subarray(i * 188, (i + 1) * 188));
  const retained = packets.filter((packet) => {
    const pid = packet.readUInt16BE(1) & 0x1fff;
    const isRepeated = (pid === 0 || pid === PMT_PID) && seen.has(pid);
    seen.add(pid);
    return !isRepeated;
  });
  expect([seen.has(PMT_PID), retained.length < packets.length]).toEqual([true, true]);
  return Buffer.concat(retained);
}

async function picturesOf({ get }: LiveCamera, list: ReadPlaylist): Promise<number> {
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

/** Output of a player of an endless stream until it has shown enough; all of it if it ends before. */
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
  it(`keeps what both standards ask for ${SECONDS} s, over a recording and a restart of its source, whose tables come each 8 s, and others read the same pictures`, {
    timeout: PATIENCE_MS,
    tags: 'long',
  }, async () => {
    const live = await oneCamera();
    const path = join(live.server.dataDir, 'flight.ts');
    await simulateToFile({ seconds: 8, width: 320, height: 180, gop: 25 }, path);
    const bytes = tablesOnce(await readFile(path));
    const send = (): Promise<PacedSender> => sendPaced({ bytes, port: live.port, rounds: 100 });
    let sender = await send();
    atEnd(() => sender.stop());
    await expect.poll(() => live.get('index.m3u8?mode=ll').then(({ status }) => status)).toBe(200);

    const player = follow(live, 'll');
    const rewinding = follow(live, 'dvr');
    const half = (SECONDS / 2) * 1000;
    await expect.poll(() => rewinding.listed).toEqual(['ring']);
    await control(live, 'start', { platformName: 'KEA-1', record: true });
    await expect.poll(() => rewinding.listed).toEqual(['ring', 'recording']);
    await expect.poll(rewinding.segments).toBeGreaterThan(3);
    await readByOthers(await closedWindow(live));
    await control(live, 'stop', { platformName: 'KEA-1' });
    await expect.poll(() => rewinding.listed).toEqual(['ring', 'recording', 'ring']);
    // The ring of before went with the recording.
    await expect.poll(player.parts, { timeout: half + 20_000 }).toBeGreaterThan(0);
    const first = player.parts();
    await expect.poll(player.parts, { timeout: half + 20_000 }).toBeGreaterThan(first + half / 2000 - 1);
    await sender.stop();
    await expect.poll(player.unanswered).toBe(1);
    const broken = player.parts();
    sender = await send();
    await expect.poll(player.parts, { timeout: half + 20_000 }).toBeGreaterThan(broken + half / 2000 - 1);
    const { authorization, cookie } = live.headers;
    const sent = `Authorization: ${authorization}\r\nCookie: ${cookie}\r\n`;
    const authorized = ['-headers', sent, '-read_intervals', '%+2'];
    const url = `${live.address}/api/live/${live.sensorId}/index.m3u8`;
    expect(await probe([...authorized, url])).toBeGreaterThan(25);
    const ffplay = ['-v', 'error', '-stats', '-autoexit', ...authorized.slice(0, 2), url];
    const seen = await saidUntil((said) => playedSeconds(said) > 3, ['ffplay', ffplay]);
    expect(playedSeconds(seen)).toBeGreaterThan(3);
    // The player writes its statistics as one line again and again; any other line is a complaint.
    expect(seen.split(/[\r\n]+/).filter((line) => !/^ *(?:$|nan\b|\d+\.\d+ )/.test(line))).toEqual([]);
    // GStreamer begins three segments before the end: more than 200 pictures come only if it also reads a later
    // playlist.
    const listed = await saidUntil(
      (said) => picturesIn(said) > 200,
      ['gst-launch-1.0', read(await openly(live, null))],
    );
    expect(picturesIn(listed)).toBeGreaterThan(200);
    expect(player.unanswered()).toBe(1);
    await sender.stop();
    await Promise.all([player.stop(), rewinding.stop()]);

    expect([player.faults, rewinding.faults]).toEqual([[], []]);
    for (const { read } of [player, rewinding]) expect(read.size).toBeGreaterThan(SECONDS / 4);
    // A superfluous wait for a part would move each age; four players that start in parallel move a few.
    expect(percentile(player.ages, 0.5)).toBeLessThan(1);
    expect(percentile(player.ages, 0.95)).toBeLessThan(3);

    const window = await closedWindow(live);
    expect(faultsOf(window.list)).toEqual([]);
    expect(window.list.segments.filter(({ discontinuity }) => discontinuity)).toHaveLength(1);
    expect(await readByOthers(window)).toBeGreaterThan((SECONDS - 6) * 25);

    /** All read as many pictures as we. */
    async function readByOthers({ url, list }: Awaited<ReturnType<typeof closedWindow>>): Promise<number> {
      const pictures = await picturesOf(live, list);
      expect(await probe([url])).toBe(pictures);
      expect(await gstreamer(url)).toBe(pictures);
      return pictures;
    }
  });
});
