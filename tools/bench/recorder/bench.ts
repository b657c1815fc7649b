import { execFileSync, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sendPaced } from '../../test-support/paced-sender.ts';
import { mainScript } from '../../test-support/product.ts';
import { median } from '../../test-support/statistics.ts';
import type { BenchLine } from '../bench-line.ts';

const STREAMS = 4;
const SECONDS = 30;
const PAIRS = 3;
const FIRST_PORT = 29_000;
const MEGABITS = 6;
const root = resolve(import.meta.dirname, '../../..');
/** Unit of user and system time in /proc/PID/stat: hundredths of a second. */
const TICKS_PER_SECOND = 100;

/**
 * Measures the processor time per stream and minute, in seconds: the whole recorder including its ring buffer, against
 * a program that only copies.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-bench-'));
  try {
    const bytes = makeStream(join(folder, 'source.ts'));
    const ours: number[] = [];
    const peer: number[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      ours.push(await recorded(bytes, join(folder, `ours-${pair}`)));
      peer.push(await copied(bytes, folder));
    }
    const ratios = ours.map((seconds, pair) => peer[pair]! / seconds);
    return [
      {
        name: 'recorder',
        unit: 's of CPU a stream and minute',
        ours: rounded(median(ours)),
        peer: rounded(median(peer)),
        peerName: 'ffmpeg -c copy -f mpegts',
        ratio: rounded(median(ratios)),
        note:
          `${STREAMS} streams of ${MEGABITS} Mbit/s over UDP for ${SECONDS} s; ours also fills the ring, makes the index and ` +
          `syncs twice a second; ratios ${rounded(Math.min(...ratios))} to ${rounded(Math.max(...ratios))}`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeStream(path: string): Buffer {
  const rate = `${MEGABITS}M`;
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25', '-t', String(SECONDS)];
  const codec = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-b:v',
    rate,
    '-maxrate',
    rate,
    '-bufsize',
    '1M',
  ];
  const constant = ['-x264-params', 'nal-hrd=cbr', '-f', 'mpegts', '-pcr_period', '20'];
  execFileSync('/usr/bin/ffmpeg', ['-nostdin', '-v', 'error', ...picture, ...codec, ...constant, path]);
  return readFileSync(path);
}

async function send(bytes: Buffer): Promise<void> {
  const ports = Array.from({ length: STREAMS }, (_, n) => FIRST_PORT + n);
  const senders = await Promise.all(ports.map((port) => sendPaced({ bytes, port })));
  await Promise.all(senders.map(({ done }) => done));
}

const cpuSeconds = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

const perStreamMinute = (seconds: number): number => (seconds / STREAMS) * (60 / SECONDS);

/**
 * Returns the processor time of the recorder's own process, which records by presence. The cost of starting is not
 * counted, as for the peer.
 */
async function recorded(bytes: Buffer, dataDir: string): Promise<number> {
  mkdirSync(join(dataDir, 'live'), { recursive: true });
  writeFileSync(join(dataDir, 'live/orders.json'), JSON.stringify({ platforms: platforms() }));
  const env = { ...process.env, OSPREY_ROLES: 'recorder' };
  const child = fork(mainScript(), [], { env, serialization: 'json' });
  const gone = new Promise((done) => child.once('exit', done));
  const ready = new Promise<void>((done, failed) => {
    child.once('message', ({ kind }: { kind: string }) => (kind === 'ready' ? done() : failed(new Error(kind))));
  });
  child.send({ config: configOf(dataDir), databaseUrl: '', setupCode: null, tls: null, restarted: false });
  await ready;
  const before = cpuSeconds(child.pid!);
  await send(bytes);
  const used = cpuSeconds(child.pid!) - before;
  child.kill('SIGTERM');
  await gone;
  const originals = join(dataDir, 'files/originals');
  const sizes = readdirSync(originals, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => statSync(join(originals, name)).size);
  const found = sizes.reduce((sum, size) => sum + size, 0);
  if (found < bytes.length * STREAMS * 0.99) throw new Error(`Only ${found} bytes were recorded`);
  return perStreamMinute(used);
}

/**
 * Reads the configuration as the server does, but in a separate process, since benches may use the server only through
 * its programs.
 */
function configOf(dataDir: string): unknown {
  const config = JSON.stringify(join(root, 'apps/server/src/base/config/config.ts'));
  const given = JSON.stringify({ OSPREY_DATA: dataDir, OSPREY_LOG_LEVEL: 'warn' });
  const script = `import(${config}).then(({ readConfig }) => console.log(JSON.stringify(readConfig(${given}))))`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
}

const platforms = () =>
  Array.from({ length: STREAMS }, (_, n) => ({
    ...{ platformId: randomUUID(), name: `P${n}`, description: '', type: 'Plane', color: '#004dcf' },
    ...{ classification: 1, marked: true, audience: 'everyone', usergroups: [], priority: 5 },
    record: { onPresence: true, schedule: [], preRollSeconds: 0 },
    sensors: [
      {
        ...{ sensorId: randomUUID(), name: 'EO', type: 'video', url: `udp://127.0.0.1:${FIRST_PORT + n}` },
        ...{ secret: null, senders: [], on: true },
      },
    ],
  }));

async function copied(bytes: Buffer, folder: string): Promise<number> {
  const programs = Array.from({ length: STREAMS }, (_, n) => {
    const input = ['-f', 'mpegts', '-i', `udp://127.0.0.1:${FIRST_PORT + n}?fifo_size=50000`];
    const output = ['-c', 'copy', '-f', 'mpegts', join(folder, `peer-${n}.ts`)];
    return spawn('/usr/bin/ffmpeg', ['-nostdin', '-y', '-v', 'error', ...input, ...output], { stdio: 'ignore' });
  });
  await new Promise((done) => setTimeout(done, 1000));
  const before = programs.map(({ pid }) => cpuSeconds(pid!));
  await send(bytes);
  const used = programs.reduce((sum, { pid }, n) => sum + cpuSeconds(pid!) - before[n]!, 0);
  const gone = programs.map((program) => once(program, 'exit'));
  // Use SIGKILL, since an ffmpeg that is waiting for packets ignores a single SIGTERM.
  for (const program of programs) program.kill('SIGKILL');
  // Wait for the programs to end, since the next run uses the same ports.
  await Promise.all(gone);
  return perStreamMinute(used);
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
