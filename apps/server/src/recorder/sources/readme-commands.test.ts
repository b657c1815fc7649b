import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platformsFile } from '@osprey/contract';
import { createDemuxer } from '@osprey/mpegts';
import { simulateToFile } from '@osprey/simulator';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { atEnd } from '../../../test/cleanup.ts';
import { openedSource } from '../../../test/live-source.ts';
import { addressProblem } from '../../recorder-wire/source-address.ts';

const root = new URL('../../../../../', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const section = readme.slice(readme.indexOf('## Connect a drone'), readme.indexOf('## Behind TLS'));
const blocks = [...section.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({ kind, text: text ?? '' }));
const configuration = blocks.find(({ kind }) => kind === 'yaml')?.text ?? '';

/** Each command with the address above it. */
const commands: [address: string, command: string][] = [];
let address = '';
for (const line of (blocks.find(({ kind }) => kind === '')?.text ?? '').trim().split('\n')) {
  if (line.startsWith('# ')) address = line.slice(2);
  else commands.push([address, line]);
}

/** By which each way in and each program is tried once; the others widen that. */
const PAIRS: Record<string, string> = { udp: 'npm', rtp: 'cvlc', srt: 'ffmpeg', rtmp: 'gst-launch-1.0' };
const isForAll = ([to, command]: [address: string, command: string]): boolean =>
  PAIRS[to.split(':')[0] ?? ''] === programOf(command);

const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const programOf = (command: string) => command.split(' ')[0] ?? '';
const missing = [...new Set(commands.map(([, command]) => programOf(command)))].filter((program) => !isThere(program));
if (missing.length > 0) process.stderr.write(`Skipped: commands of the README that need ${missing.join(', ')}\n`);

const CHEAP = { width: 320, height: 180, fps: 10, seconds: 20, ships: 0 };
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osprey-readme-'));
  // VLC refuses root: the account it then runs as reads the recording, too.
  await chmod(folder, 0o755);
  atEnd(() => rm(folder, { recursive: true }));
  if (isThere('ffmpeg')) await simulateToFile(CHEAP, join(folder, 'flight.ts'));
  // Drawing the flight is all that a busy machine may take long for.
}, 240_000);

function run(command: string): void {
  const isOwn = programOf(command) === 'npm';
  const account = programOf(command) === 'cvlc' && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  // The script that npm would run; installing was done before the tests.
  const line = command.replace(/^npm run (\w+) --/, (_, script: string) => scripts[script] ?? '');
  const child = spawn('sh', ['-c', line], {
    cwd: isOwn ? root : folder,
    env: { ...process.env, HOME: folder },
    stdio: 'ignore',
    // A group of its own: npm, sh and what they start end together.
    detached: true,
    ...account,
  });
  atEnd(() => child.exitCode !== null || process.kill(-(child.pid ?? 0), 'SIGKILL'));
}

function contents(bytes: Buffer) {
  const seen = { pictures: 0, klv: 0 };
  const demuxer = createDemuxer({
    accessUnit: ({ kind }) => {
      if (kind === 'h264') seen.pictures += 1;
    },
    klv: () => {
      seen.klv += 1;
    },
  });
  demuxer.push(bytes);
  demuxer.end();
  return seen;
}

it('the platforms of the README are taken, with the addresses that are sent to', () => {
  const [platform] = platformsFile.parse(parse(configuration));

  const urls = platform?.sensors.map(({ url }) => url) ?? [];
  expect(urls.map((url) => addressProblem(url))).toEqual(urls.map(() => null));
  expect([...new Set(commands.map(([to]) => to))]).toEqual(urls);
  expect(commands.filter(isForAll).map(([to]) => to)).toEqual(urls);
  expect(new Set(commands.filter(isForAll).map(([, command]) => programOf(command)))).toEqual(
    new Set(commands.map(([, command]) => programOf(command))),
  );
});

const [able, unable] = [false, true].map((is) => commands.filter((one) => missing.includes(programOf(one[1])) === is));

describe('a command of the README', { timeout: 120_000 }, () => {
  it.skip.each(unable ?? [])('for %s: %s', () => undefined);

  async function isReceived(to: string, command: string) {
    const source = await openedSource(to);

    run(command);

    await expect.poll(() => contents(source.bytes()).pictures).toBeGreaterThan(10);
    // VLC parts what it knows from what it sends, and metadata are not among it; RTMP has no place for them.
    const hasMetadata = programOf(command) !== 'cvlc' && !to.startsWith('rtmp:');
    if (hasMetadata) await expect.poll(() => contents(source.bytes()).klv).toBeGreaterThan(0);
  }

  it.each(able?.filter(isForAll) ?? [])('for %s: %s', isReceived);
  it.each(able?.filter((one) => !isForAll(one)) ?? [])('for %s: %s', { tags: 'long' }, isReceived);
});
