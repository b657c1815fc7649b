import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from '../../test-support/statistics.ts';
import { testData } from '../../test-support/test-data.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';

const LARGE_MB = 1000;
const SMALL_MB = 100;
const PAIRS = 5;
/**
 * Number of pairs. It is higher because each run takes less than half a second, so that a run disturbed by another
 * process does not become the median.
 */
const PAIRS_TSDEMUX = 15;
const TIMES_REMUX = 4;
const TIMES_TSDEMUX = 1.5;
/** Maximum memory of the process in MiB above that of one that indexes a file of 2 MB. */
const MEMORY_MOST_MIB = 150;
/**
 * Maximum difference in memory, in MiB, at which two file sizes count as needing the same: the garbage collector leaves
 * varying amounts.
 */
const MEMORY_SAME_MIB = 30;
const root = resolve(import.meta.dirname, '../../..');

type Run = { seconds: number; output: string };

/**
 * Indexes a recording of more than an hour (segments, key frames, telemetry and KLV health), against programs that only
 * remultiplex it.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-bench-'));
  try {
    const [large, small] = [makeFile(folder, LARGE_MB), makeFile(folder, SMALL_MB)];
    const tiny = testData('ts/osh/sample-stream.ts');
    const lines = [againstFfmpeg(folder, { large, small, tiny })];
    if (existsSync('/usr/bin/gst-launch-1.0')) lines.push(againstTsdemux(large, tiny));
    else process.stderr.write('ts-index: gst-launch-1.0 is not installed, so tsdemux was not measured\n');
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeFile(folder: string, megabytes: number): string {
  const path = join(folder, `${megabytes}.ts`);
  const source = testData('ts/osh/sample-stream.ts');
  execFileSync('python3', [testData('tools/make_big.py'), source, path, '--mb', String(megabytes), '--move', '40']);
  return path;
}

type Files = Record<'large' | 'small' | 'tiny', string>;

function againstFfmpeg(folder: string, { large, small, tiny }: Files): BenchLine {
  const ours: number[] = [];
  const peer: number[] = [];
  const shorter: number[] = [];
  let peakLarge = 0;
  let peakSmall = 0;
  index(folder, tiny);
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const complete = index(folder, large);
    const part = index(folder, small);
    ours.push(complete.seconds);
    shorter.push(part.seconds);
    peakLarge = Math.max(peakLarge, peakMib(complete));
    peakSmall = Math.max(peakSmall, peakMib(part));
    peer.push(remux(folder, large).seconds);
  }
  const idle = peakMib(index(folder, tiny));
  const ratios = ours.map((seconds, pair) => peer[pair]! / seconds);
  const found = JSON.parse(index(folder, large).output) as { segments: number; records: number };
  return {
    name: 'ts-index',
    unit: 's',
    ours: rounded(median(ours)),
    peer: rounded(median(peer)),
    peerName: 'ffmpeg -c copy -f hls',
    ratio: rounded(median(ratios)),
    failure: belowGoal(median(ratios), TIMES_REMUX) ?? tooMuchMemory(peakLarge - idle, peakSmall - idle),
    growth: rounded(median(ours) / median(shorter)),
    note:
      `${statSync(large).size} bytes: ${found.segments} segments, ${found.records} telemetry records decoded and indexed; ` +
      `memory over idle ${Math.round(peakLarge - idle)} MiB, at a tenth of the size ${Math.round(peakSmall - idle)} MiB; ` +
      `ratios ${spread(ratios)}`,
  };
}

function tooMuchMemory(largeMib: number, smallMib: number): string | undefined {
  if (largeMib > MEMORY_MOST_MIB) return `${Math.round(largeMib)} MiB over idle, at most ${MEMORY_MOST_MIB}`;
  if (largeMib <= smallMib + MEMORY_SAME_MIB) return undefined;
  return `memory grows with the file: ${Math.round(largeMib)} MiB over idle, ${Math.round(smallMib)} at a tenth of its size`;
}

/** Loading Node takes as long as the work itself, so the time for a file of 2 MB is subtracted from both. */
function againstTsdemux(large: string, tiny: string): BenchLine {
  const demux = (path: string) => asWorker(join(import.meta.dirname, 'demux.ts'), [path]).seconds;
  const ours: number[] = [];
  const peer: number[] = [];
  demux(tiny);
  for (let pair = 0; pair < PAIRS_TSDEMUX; pair += 1) {
    ours.push(demux(large) - demux(tiny));
    peer.push(tsdemux(large).seconds - tsdemux(tiny).seconds);
  }
  const ratios = ours.map((seconds, pair) => peer[pair]! / seconds);
  return {
    name: 'ts-index',
    unit: 's',
    ours: rounded(median(ours)),
    peer: rounded(median(peer)),
    peerName: 'GStreamer tsdemux',
    ratio: rounded(median(ratios)),
    failure: belowGoal(median(ratios), TIMES_TSDEMUX),
    note: `demuxing alone, as the peer does: segments, keyframes, whole KLV packets; start of both programs taken off; ratios ${spread(ratios)}`,
  };
}

/**
 * Runs a script in the same way as the worker: with the same tuning (processes/keep-child.ts), and with the code cache
 * folder that each server process uses. The cache is filled by a first run, which is not counted.
 */
function asWorker(script: string, args: string[]): Run {
  const options = ['--max-semi-space-size=1', '--v8-pool-size=1'];
  const compiled = join(root, 'node_modules/.cache/osprey');
  const env = { UV_THREADPOOL_SIZE: '1', NODE_COMPILE_CACHE: compiled };
  return timed(process.execPath, [...options, script, ...args], env);
}

const index = (folder: string, path: string): Run =>
  asWorker(join(root, 'apps/server/src/commands/index-recording.ts'), [path, join(folder, 'ours')]);

function remux(folder: string, path: string): Run {
  const target = join(folder, 'hls');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const output = ['-hls_time', '2', '-hls_list_size', '0', join(target, 'x.m3u8')];
  return timed('/usr/bin/ffmpeg', ['-nostdin', '-v', 'error', '-i', path, '-c', 'copy', '-f', 'hls', ...output]);
}

const tsdemux = (path: string): Run =>
  timed('/usr/bin/gst-launch-1.0', ['-q', 'filesrc', `location=${path}`, '!', 'tsdemux', '!', 'fakesink']);

function timed(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  const seconds = (performance.now() - begun) / 1000;
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(0, 500)}`);
  return { seconds, output: stdout };
}

const peakMib = ({ output }: Run): number => (JSON.parse(output) as { peakKiB: number }).peakKiB / 1024;
const rounded = (value: number): number => Math.round(value * 100) / 100;
const spread = (ratios: number[]): string => `${rounded(Math.min(...ratios))} to ${rounded(Math.max(...ratios))}`;
