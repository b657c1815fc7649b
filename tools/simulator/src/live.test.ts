import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decodePacket } from '@osprey/klv';
import { createDemuxer } from '@osprey/mpegts';
import { afterEach, describe, expect, it } from 'vitest';
import { readTimeCode } from './time-code.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg) process.stderr.write('Skipped: live flights need ffmpeg (apt-get install ffmpeg)\n');

const MAIN = new URL('./main.ts', import.meta.url).pathname;
const CHEAP = ['--size', '320x180', '--fps', '5', '--ships', '0'];

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A port, and the datagrams that it received. */
async function receiver(port = 0) {
  const socket = createSocket('udp4');
  const datagrams: { bytes: Buffer; atMs: number }[] = [];
  socket.on('message', (bytes) => datagrams.push({ bytes, atMs: Date.now() }));
  ends.push(() => new Promise<void>((done) => socket.close(done)));
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return { datagrams, port: socket.address().port };
}

/** Two consecutive free ports: the port after a free one may be in use. */
async function receiverPair() {
  for (;;) {
    const first = await receiver();
    const second = await receiver(first.port + 1).catch(() => null);
    if (second !== null) return [first, second] as const;
  }
}

/** Datagrams of a flight may still be in the socket when it has ended. */
async function arrived({ datagrams }: Awaited<ReturnType<typeof receiver>>, sentBytes: number): Promise<void> {
  await expect.poll(() => datagrams.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBe(sentBytes);
}

const SENT = /1: (\d+) frames, (\d+) KLV packets, (\d+) bytes/;

function fly(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...CHEAP, ...args]);
  let text = '';
  child.stdout.on('data', (bytes) => {
    text += bytes;
  });
  child.stderr.on('data', (bytes) => {
    text += bytes;
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  ends.push(() => child.kill('SIGKILL'));
  return { child, ended, text: () => text };
}

function demux(datagrams: { bytes: Buffer; atMs: number }[]) {
  const pictures: { ptsTicks: number; keyframe: boolean }[] = [];
  const klv: { pts: number; timeUs: number; atMs: number }[] = [];
  let atMs = 0;
  const demuxer = createDemuxer({
    accessUnit: ({ kind, ptsTicks, keyframe }) => {
      if (kind === 'h264') pictures.push({ ptsTicks: ptsTicks!, keyframe });
    },
    klv: ({ ptsTicks, bytes, start, end }) =>
      klv.push({ pts: ptsTicks!, timeUs: Number(decodePacket(bytes, start, end).values['2']), atMs }),
  });
  for (const datagram of datagrams) {
    atMs = datagram.atMs;
    demuxer.push(datagram.bytes);
  }
  return { pictures, klv, report: demuxer.end() };
}

describe.skipIf(!hasFfmpeg)('a live flight', () => {
  it('sends what happens now until SIGINT, and ends in good order', async () => {
    const to = await receiver();
    const flight = fly('--live', `udp://127.0.0.1:${to.port}`);
    await expect.poll(() => demux(to.datagrams).pictures.length).toBeGreaterThan(12);

    flight.child.kill('SIGINT');
    const [code] = await flight.ended;

    expect(code).toBe(0);
    const [, frames, packets, bytes] = SENT.exec(flight.text()) ?? [];
    await arrived(to, Number(bytes));
    const { pictures, klv, report } = demux(to.datagrams);
    expect(pictures).toHaveLength(Number(frames));
    expect(klv).toHaveLength(Number(packets));
    expect(report.faults).toMatchObject({ continuityErrors: 0, brokenPes: 0 });
    const steps = pictures.slice(1).map(({ ptsTicks }, index) => ptsTicks - pictures[index]!.ptsTicks);
    expect(steps.every((step) => step > 0 && step % 18_000 === 0)).toBe(true);
    // Metadata have the time of their moment by this machine's clock, on the clock of the pictures.
    const startUs = klv[0]!.timeUs;
    for (const { pts, timeUs, atMs } of klv) {
      expect(Math.abs((pts - klv[0]!.pts) / 0.09 - (timeUs - startUs))).toBeLessThan(20);
      expect(Math.abs(atMs - timeUs / 1000)).toBeLessThan(3000);
    }
  });

  it('shows the time of each frame in the picture', async () => {
    const to = await receiver();

    const flight = fly('--live', `udp://127.0.0.1:${to.port}`, '--seconds', '2');
    const [code] = await flight.ended;

    expect(code).toBe(0);
    await arrived(to, Number(SENT.exec(flight.text())?.[3]));
    const { pictures } = demux(to.datagrams);
    const { stdout } = spawnSync(
      'ffmpeg',
      '-v error -f mpegts -i - -map 0:v -fps_mode passthrough -f rawvideo -pix_fmt gray -'.split(' '),
      { input: Buffer.concat(to.datagrams.map(({ bytes }) => bytes)), maxBuffer: 2 ** 28 },
    );
    const size = 320 * 180;
    const codes = pictures.map((_, index) => readTimeCode(stdout.subarray(index * size, (index + 1) * size), 320, 180));
    expect(codes.length).toBeGreaterThan(0);
    for (const [index, timeCode] of codes.entries()) {
      expect(Math.abs(Date.now() * 1000 - timeCode!.timeUs)).toBeLessThan(60e6);
      const since = (pictures[index]!.ptsTicks - pictures[0]!.ptsTicks) / 0.09;
      expect(Math.abs(timeCode!.timeUs - codes[0]!.timeUs - since)).toBeLessThan(20);
    }
  });

  it('flies several sensors on one clock to consecutive ports, in RTP too', async () => {
    const [first, second] = await receiverPair();

    const flight = fly('--live', `rtp://127.0.0.1:${first.port}`, '--sensors', '2', '--seconds', '1');
    const [code] = await flight.ended;

    expect(code).toBe(0);
    for (const { datagrams } of [first, second]) {
      const heads = datagrams.map(({ bytes }) => bytes);
      expect(heads.every((bytes) => bytes[0] === 0x80 && bytes[1] === 33)).toBe(true);
      const sequences = heads.map((bytes) => bytes.readUInt16BE(2));
      expect(sequences.every((one, index) => one === (sequences[0]! + index) % 65_536)).toBe(true);
      const bare = datagrams.map(({ bytes, atMs }) => ({ bytes: bytes.subarray(12), atMs }));
      expect(demux(bare).pictures.length).toBeGreaterThan(0);
    }
    const [a, b] = [first, second].map(({ datagrams }) => {
      return demux(datagrams.map(({ bytes, atMs }) => ({ bytes: bytes.subarray(12), atMs }))).klv[0]!.timeUs;
    });
    expect(a).toBe(b);
  });

  it.each([
    ['ftp://127.0.0.1:1', 'it must be an address that begins with udp:, rtp:, srt: or rtmp:'],
    ['udp://127.0.0.1', 'the port is missing'],
  ])('refuses %s', async (url, message) => {
    const flight = fly('--live', url);

    const [code] = await flight.ended;

    expect(code).toBe(1);
    expect(flight.text()).toContain(message);
  });
});
