import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../../../../tools/test-support/free-port.ts';
import { atEnd } from '../../../../test/cleanup.ts';
import { openedSource } from '../../../../test/live-source.ts';
import { makeFlight, type Probed, probe } from '../../../../test/rtmp-flight.ts';
import { greeting, second } from '../../../../test/rtmp-publisher.ts';
import { findSandbox } from '../../../base/ffmpeg/sandbox.ts';
import { sourceCheck } from '../../../recorder-wire/source-address.ts';
import { sourceOpener } from '../open-source.ts';

const knows = (element: string) => spawnSync('gst-inspect-1.0', [element]).status === 0;
const hasFfmpeg = existsSync('/usr/bin/ffmpeg');
const hasGstreamer = hasFfmpeg && ['rtmp2sink', 'flvmux', 'flvdemux', 'h264parse', 'aacparse'].every(knows);
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasFfmpeg) process.stderr.write('Skipped: pushing over RTMP needs ffmpeg\n');
if (!hasGstreamer) process.stderr.write('Skipped: GStreamer pushes by rtmp2sink of gstreamer1.0-plugins-bad\n');
if (!hasOpenssl) process.stderr.write('Skipped: RTMPS needs a certificate, and that openssl\n');

const KEY = 'k3y-of-64-kinds_abcdefgh';
const OTHER_KEY = 'an0ther_key-of-this-kind';
const SECONDS = 6;
const RATE = 15;

let folder = '';
let file = '';
beforeAll(async () => {
  if (!hasFfmpeg) return;
  folder = await mkdtemp(join(tmpdir(), 'osprey-rtmp-'));
  atEnd(() => rm(folder, { recursive: true }));
  file = join(folder, 'flight.flv');
  makeFlight(file, { seconds: SECONDS, rate: RATE });
});

/** Starts a program; returns how it can be ended, and what it ended with. */
function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  atEnd(() => child.kill('SIGKILL'));
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(said)));
  return { stop: () => child.kill('SIGKILL'), ended };
}

const FROM_FILE = ['-v', 'error', '-i', '{file}'];
const push = (to: string, options: readonly string[] = FROM_FILE) =>
  start('ffmpeg', [...options.map((word) => (word === '{file}' ? file : word)), '-c', 'copy', '-f', 'flv', to]);
const pushForever = (to: string) => push(to, ['-v', 'error', '-re', '-stream_loop', '-1', '-i', '{file}']);

/** Waits until the push has ended, and reads what was recorded. */
async function recorded(source: Awaited<ReturnType<typeof openedSource>>): Promise<Record<string, Probed>> {
  await expect.poll(() => source.problems.at(-1)).toBe('The encoder that pushed went away');
  const path = join(folder, 'received.ts');
  await writeFile(path, source.bytes());
  return probe(path);
}

/** Sources of one recorder share their ports. */
const oneRecorder = () =>
  sourceOpener({
    check: sourceCheck({ allowed: [] }),
    sandbox: () => findSandbox('auto'),
    storage: {
      async *list() {},
      read() {
        throw new Error('There is no storage in this test');
      },
    },
    tls: async () => null,
  });

describe.skipIf(!hasFfmpeg)('an RTMP source', { timeout: 140_000 }, () => {
  it('takes each picture and each sound that ffmpeg pushes, which ffprobe then reads', async () => {
    const to = `rtmp://127.0.0.1:${await freePort()}/live/${KEY}`;
    const source = await openedSource(to);

    expect(await push(to).ended).toBe('');

    const sent = probe(file);
    expect(await recorded(source)).toMatchObject({
      h264: { nb_read_packets: String(SECONDS * RATE), width: 320 },
      aac: { nb_read_packets: sent.aac!.nb_read_packets },
    });
  });

  it.skipIf(!hasGstreamer)('takes each picture and each sound that GStreamer pushes', { tags: 'long' }, async () => {
    const to = `rtmp://127.0.0.1:${await freePort()}/live/${KEY}`;
    const source = await openedSource(to);

    const pictures = ['parts.video', '!', 'queue', '!', 'h264parse', '!', 'whole.'];
    const sounds = ['parts.audio', '!', 'queue', '!', 'aacparse', '!', 'whole.'];
    const out = ['flvmux', 'name=whole', 'streamable=true', '!', 'rtmp2sink', `location=${to}`];
    const input = ['filesrc', `location=${file}`, '!', 'flvdemux', 'name=parts'];
    const gst = start('gst-launch-1.0', ['-q', ...input, ...pictures, ...sounds, ...out]);
    await gst.ended;

    const sent = probe(file);
    expect(await recorded(source)).toMatchObject({
      h264: { nb_read_packets: String(SECONDS * RATE) },
      aac: { nb_read_packets: sent.aac!.nb_read_packets },
    });
  });

  it('shares its port with others by key, and takes nothing with another key', async () => {
    const opener = oneRecorder();
    const base = `rtmp://127.0.0.1:${await freePort()}/live`;
    const first = await openedSource(`${base}/${KEY}`, { opener });
    const second = await openedSource(`${base}/${OTHER_KEY}`, { opener });

    const said = await push(`${base}/${KEY}-and-more`).ended;
    await push(`${base}/${OTHER_KEY}`).ended;

    expect((await recorded(second)).h264?.nb_read_packets).toBe(String(SECONDS * RATE));
    expect(first.size()).toBe(0);
    expect([first.counts().refused, second.counts().refused]).toEqual([1, 1]);
    expect(first.problems).toEqual(['Somebody pushes with a key that is not known here']);
    expect(said).not.toBe('');
    await expect(openedSource(`${base}/${KEY}`, { opener })).rejects.toThrow('Another sensor has this app and key');
  });

  it('refuses a second encoder while the first one sends, and takes it when that is gone', async () => {
    const to = `rtmp://127.0.0.1:${await freePort()}/live/${KEY}`;
    const source = await openedSource(to);
    const first = pushForever(to);
    await source.until(30_000, 40_000);

    await push(to).ended;
    const before = source.size();
    await source.until(before + 30_000, 40_000);
    expect(source.counts().refused).toBe(1);
    first.stop();
    await expect.poll(() => source.problems.at(-1)).toBe('The encoder that pushed went away');
    const atEndOfFirst = source.size();
    pushForever(to);

    await source.until(atEndOfFirst + 30_000, 40_000);
    expect(source.problems.at(-1)).toBe(null);
  });

  it.skipIf(!hasOpenssl)('takes what is pushed over TLS, with the certificate of the server', async () => {
    const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const made = ['req', '-x509', '-days', '2', ...curve, '-keyout', keyFile, '-out', certFile, ...subject];
    expect(spawnSync('openssl', made).status).toBe(0);
    const to = `rtmps://127.0.0.1:${await freePort()}/live/${KEY}`;
    const source = await openedSource(to, { tls: async () => ({ certFile, keyFile }) });

    expect(await push(to).ended).toBe('');

    expect((await recorded(source)).h264?.nb_read_packets).toBe(String(SECONDS * RATE));
  });
});

/** A connection that says this; what it was answered, once it is closed. */
function say(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    atEnd(() => socket.destroy());
    socket.on('data', (text) => (received += text.toString('latin1')));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(received));
  });
}

describe('a port for RTMP', () => {
  it('takes only senders that are listed', async () => {
    const port = await freePort();
    const source = await openedSource(`rtmp://127.0.0.1:${port}/live/${KEY}`, { senders: ['10.0.0.0/8'] });

    const received = await say(port, Buffer.concat([greeting('live', KEY), second()]));

    expect(received).toBe('');
    expect(source.size()).toBe(0);
    expect(source.counts().refused).toBe(1);
    expect(source.problems).toEqual(['An encoder was refused: its address is not among those that may send']);
  });

  it('distinguishes listed senders of one sensor from those of another', async () => {
    const opener = oneRecorder();
    const port = await freePort();
    const closed = await openedSource(`rtmp://127.0.0.1:${port}/live/${KEY}`, { opener, senders: ['10.0.0.7'] });
    await openedSource(`rtmp://127.0.0.1:${port}/live/${OTHER_KEY}`, { opener, senders: ['127.0.0.0/8'] });

    const received = await say(port, Buffer.concat([greeting('live', KEY), second()]));

    expect(received).toContain('NetStream.Publish.Denied');
    expect([closed.size(), closed.counts().refused]).toEqual([0, 1]);
  });

  it.each([
    ['is another protocol', Buffer.from(`GET /live/${KEY} HTTP/1.1\r\n\r\n`)],
    ['is noise behind a handshake', Buffer.concat([greeting('live', '').subarray(0, 3073), Buffer.alloc(9000, 0xff)])],
  ])('closes what %s, and goes on', async (_what, bytes) => {
    const port = await freePort();
    const source = await openedSource(`rtmp://127.0.0.1:${port}/live/${KEY}`);

    await say(port, bytes);

    expect(source.counts().refused).toBe(1);
    const good = connect(port, '127.0.0.1', () => good.write(Buffer.concat([greeting('live', KEY), second()])));
    atEnd(() => good.destroy());
    await source.until(10 * 188);
  });

  it('says that it is taken, and is free again when its sensors went', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const to = `rtmp://127.0.0.1:${port}/live/${KEY}`;

    await expect(openedSource(to)).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
    await new Promise((resolve) => other.close(resolve));
    const opener = oneRecorder();
    const first = await openedSource(to, { opener });
    const closing = first.close();
    const again = await openedSource(to, { opener });
    await closing;

    const good = connect(port, '127.0.0.1', () => good.write(Buffer.concat([greeting('live', KEY), second()])));
    atEnd(() => good.destroy());
    await again.until(10 * 188);
  });

  it.each([
    [`rtmps://127.0.0.1:1936/live/${KEY}`, 'RTMPS needs the certificate of this server'],
    ['rtmp://127.0.0.1:1936/live/short', 'needs 16 random letters and digits'],
  ])('is not opened for %s', async (url, message) => {
    await expect(openedSource(url)).rejects.toThrow(message);
  });
});
