import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createDemuxer } from '@osprey/mpegts';
import { apiOf } from '../../test-support/data/api.ts';
import { median } from '../../test-support/statistics.ts';
import { testData } from '../../test-support/test-data.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';
import { ADMIN_BASIC, BENCH_PASSWORD, withBenchServer } from '../bench-server.ts';
import { endedChildrenSeconds, treeCpuSeconds } from '../live-fanout/process-cpu.ts';

const MEGABYTES = 1000;
const SECONDS = 60;
const PAIRS = 7;
/** Minimum ratio: our time may be at most 0.7 of the peer's. */
const TIMES = 1 / 0.7;

/** Time until the first byte and until the last, and processor time of the program, in seconds. */
type Run = { firstSeconds: number; seconds: number; cpuSeconds: number; bytes: Buffer };

/**
 * Measures exporting the last minute of a 1 GB recording over loopback, against ffmpeg copying the same span to a pipe.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-bench-clip-'));
  const path = join(folder, 'large.ts');
  try {
    const source = testData('ts/osh/sample-stream.ts');
    execFileSync('python3', [testData('tools/make_big.py'), source, path, '--mb', String(MEGABYTES), '--move', '40']);
    return await withBenchServer('clip', ({ address, env }) => measure(address, path, env.OSPREY_DATA!));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(address: string, path: string, dataFolder: string): Promise<BenchLine[]> {
  const api = apiOf(address, { username: 'admin', password: BENCH_PASSWORD });
  const mission = await api.addRecorded({ name: 'Large', audience: 'everyone' }, { 'EO/IR': path });
  const seconds = (mission.endTime! - mission.startTime!) / 1e6;
  const [from, to] = [seconds - SECONDS, seconds];
  const sensor = mission.sensors[0]!._id;
  const url = `${address}/api/sensors/exportVideo/${mission._id}/${sensor}?markIn=${from.toFixed(6)}&markOut=${to.toFixed(6)}`;
  const ofPeer = ['-v', 'error', '-ss', String(from), '-to', String(to), '-i', path, '-c', 'copy', '-map', '0'];
  const peerRun = () => copied([...ofPeer, '-copy_unknown', '-f', 'mpegts', 'pipe:1']);
  // Run both once first, so that the file is cached and both programs are warm.
  let [own, other] = [await download(url), await peerRun()];
  const marks = join(dataFolder, 'files/indexes', sensor, `${mission.sensors[0]!.assets[0]!._id}.marks.json`);
  const runs: [ours: Run, peer: Run][] = [];
  const readTwice: [ours: Run, peer: Run][] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    [own, other] = [await download(url), await peerRun()];
    runs.push([own, other]);
    renameSync(marks, `${marks}.away`);
    const read = await download(url);
    renameSync(`${marks}.away`, marks);
    readTwice.push([await download(url), read]);
  }
  const ratios = runs.map(([ours, peer]) => peer.seconds / ours.seconds);
  const cut = count([own.bytes]);
  const [original, peers] = [await countOf(path, cut), count([other.bytes])];
  const isComplete = cut.pictures === original.pictures && cut.sets === original.sets;
  const lineOf = (unit: string, secondsOf: (run: Run) => number, note: string, pairs = runs): BenchLine => {
    const [ours, peer] = [0, 1].map((side) => median(pairs.map((pair) => secondsOf(pair[side]!)))) as [number, number];
    const figures = { ours: rounded(ours), peer: rounded(peer), ratio: rounded(peer / ours) };
    return { name: 'clip', unit, ...figures, peerName: 'ffmpeg -c copy -map 0', note };
  };
  const whole: BenchLine = {
    ...lineOf('s', ({ seconds }) => seconds, ''),
    ratio: rounded(median(ratios)),
    failure: isComplete ? belowGoal(median(ratios), TIMES) : 'pictures or sets of the original are missing',
    note:
      `the last ${SECONDS} s of ${statSync(path).size} bytes: ours ${cut.pictures} pictures and ${cut.sets} sets in ` +
      `${own.bytes.length} bytes, the original ${original.pictures} and ${original.sets} in this span, the peer ` +
      `${peers.pictures} and ${peers.sets} in ${other.bytes.length}; ratios ${ratios.map(rounded).join(' ')}`,
  };
  const unknown = { peerName: 'the same with its marks unknown to the index' };
  return [
    whole,
    { ...lineOf('s', ({ firstSeconds }) => firstSeconds, 'until the first byte', readTwice), ...unknown },
    { ...lineOf('s of CPU', ({ cpuSeconds }) => cpuSeconds, 'api and PostgreSQL', readTwice), ...unknown },
    lineOf('s', ({ firstSeconds }) => firstSeconds, 'until the first byte, of a recording that states its label'),
    lineOf('s of CPU', ({ cpuSeconds }) => cpuSeconds, 'api and PostgreSQL against the peer'),
  ];
}

async function download(url: string): Promise<Run> {
  const before = serverSeconds();
  const begun = performance.now();
  const request = get(url, { headers: { authorization: ADMIN_BASIC } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`The export answered ${answer.statusCode}`);
  return { ...(await received(answer, begun)), cpuSeconds: serverSeconds() - before };
}

async function copied(options: readonly string[]): Promise<Run> {
  const begun = performance.now();
  const before = endedChildrenSeconds();
  const child = spawn('ffmpeg', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const run = await received(child.stdout, begun);
  await ended;
  return { ...run, cpuSeconds: endedChildrenSeconds() - before };
}

async function received(output: Readable, begun: number): Promise<Omit<Run, 'cpuSeconds'>> {
  const parts: Buffer[] = [];
  let firstSeconds = 0;
  for await (const part of output) {
    if (parts.length === 0) firstSeconds = (performance.now() - begun) / 1000;
    parts.push(part as Buffer);
  }
  return { firstSeconds, seconds: (performance.now() - begun) / 1000, bytes: Buffer.concat(parts) };
}

function serverSeconds(): number {
  const byRole = treeCpuSeconds(process.pid);
  return (byRole.get('api') ?? 0) + (byRole.get('postgres') ?? 0);
}

type Counted = { pictures: number; sets: number; first: number; last: number };

/**
 * Counts pictures and KLV sets of a stream, excluding those of our added label stream; only within the span, if one is
 * given.
 */
function counter(span: Pick<Counted, 'first' | 'last'> | null) {
  const found = { pictures: 0, sets: 0, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  const isIn = (ticks: number | null) => span === null || (ticks !== null && ticks >= span.first && ticks <= span.last);
  let klvPid: number | null = null;
  const demuxer = createDemuxer({
    accessUnit({ ptsTicks }) {
      if (!isIn(ptsTicks) || ptsTicks === null) return;
      found.pictures += 1;
      found.first = Math.min(found.first, ptsTicks);
      found.last = Math.max(found.last, ptsTicks);
    },
    klv({ pid, nearTicks }) {
      klvPid ??= pid;
      if (pid === klvPid && isIn(nearTicks)) found.sets += 1;
    },
    program({ streams }) {
      klvPid = streams.find(({ kind }) => kind === 'klvSync' || kind === 'klvAsync')?.pid ?? null;
    },
  });
  return { demuxer, found };
}

function count(parts: readonly Buffer[]): Counted {
  const { demuxer, found } = counter(null);
  for (const part of parts) demuxer.push(part);
  demuxer.end();
  return found;
}

async function countOf(path: string, span: Counted): Promise<Counted> {
  const { demuxer, found } = counter(span);
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) demuxer.push(part as Buffer);
  demuxer.end();
  return found;
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
