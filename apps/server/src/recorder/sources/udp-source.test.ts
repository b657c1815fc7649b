import { execFileSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { openedSource } from '../../../test/live-source.ts';
import { WAIT_MS } from './rtp-order.ts';

const PORT = 20_400 + (process.pid % 500);

/** A source with the marks of the packets that came from it. */
async function listen(url: string, senders: string[] = []) {
  const source = await openedSource(url, { senders });
  const marks = () => source.packets().map((packet) => packet.readUInt32BE(4));
  return { ...source, marks, until: (count: number) => expect.poll(marks).toHaveLength(count) };
}

/** A transport packet that says which it is. */
function packet(mark: number, pid = 256): Buffer {
  const bytes = Buffer.alloc(188, 0xff);
  bytes.set([0x47, pid >> 8, pid & 0xff, 0x10 | (mark & 0x0f)]);
  bytes.writeUInt32BE(mark, 4);
  return bytes;
}

type RtpParts = { csrc?: number; extension?: number; padding?: number; ssrc?: number };

function rtp(sequence: number, payload: Buffer, { csrc = 0, extension, padding = 0, ssrc = 7 }: RtpParts = {}): Buffer {
  const head = Buffer.alloc(12 + 4 * csrc);
  head[0] = 0x80 | (padding > 0 ? 0x20 : 0) | (extension === undefined ? 0 : 0x10) | csrc;
  head[1] = 33;
  head.writeUInt16BE(sequence & 0xffff, 2);
  head.writeUInt32BE((sequence * 900) >>> 0, 4);
  head.writeUInt32BE(ssrc, 8);
  const more = Buffer.alloc(extension === undefined ? 0 : 4 + 4 * extension);
  if (extension !== undefined) more.writeUInt16BE(extension, 2);
  const end = Buffer.alloc(padding);
  if (padding > 0) end[padding - 1] = padding;
  return Buffer.concat([head, more, payload, end]);
}

function sender(type: 'udp4' | 'udp6' = 'udp4'): Socket {
  const socket = createSocket(type);
  atEnd(() => new Promise<void>((done) => socket.close(done)));
  return socket;
}

const send = (socket: Socket, bytes: Buffer, port = PORT, host = '127.0.0.1') =>
  new Promise<void>((done, failed) => socket.send(bytes, port, host, (error) => (error ? failed(error) : done())));

async function sendAll(socket: Socket, all: readonly Buffer[], host?: string): Promise<void> {
  for (const bytes of all) await send(socket, bytes, PORT, host);
}

/** From a process of its own, which is waited for without reading anything. */
function sendFromElsewhere(bytes: Buffer, staysMs: number): void {
  const script = `const socket = require('node:dgram').createSocket('udp4');
    const bytes = Buffer.from('${bytes.toString('hex')}', 'hex');
    socket.send(bytes, ${PORT}, '127.0.0.1', () => setTimeout(() => socket.close(), ${staysMs}));`;
  execFileSync(process.execPath, ['-e', script]);
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('a UDP source', () => {
  it('hands on what comes in datagrams of any number of packets', async () => {
    const source = await listen(`udp://127.0.0.1:${PORT}`);

    await sendAll(sender(), [packet(0), Buffer.concat(numbers(1, 8).map((mark) => packet(mark))), packet(8)]);

    await source.until(9);
    expect(source.marks()).toEqual(numbers(0, 9));
    expect(source.counts()).toEqual({ lost: 0, reordered: 0, refused: 0, jitterMs: null });
  });

  it('listens on loopback when no host is named', async () => {
    const source = await listen(`udp://:${PORT}`);

    await send(sender(), packet(1));

    await source.until(1);
  });

  it('speaks IPv6', async () => {
    const source = await listen(`udp://[::1]:${PORT}`, ['::1']);

    await sendAll(sender('udp6'), [packet(1)], '::1');

    await source.until(1);
  });

  it('hands on many datagrams in few pieces', async () => {
    const source = await listen(`udp://127.0.0.1:${PORT}`);
    const socket = sender();

    await Promise.all(numbers(0, 100).map((mark) => send(socket, packet(mark))));

    await source.until(100);
    expect(source.parts.length).toBeLessThan(50);
  });

  it('drops what is no transport stream, counts it and says so until it is one again', async () => {
    const source = await listen(`udp://127.0.0.1:${PORT}`);
    const socket = sender();

    await sendAll(socket, [
      ...numbers(0, 25).map(() => Buffer.from('no stream')),
      packet(1),
      Buffer.alloc(0),
      packet(2),
    ]);

    await source.until(2);
    expect(source.problems).toEqual(['Datagrams arrive, but they are not an MPEG transport stream', null]);
    expect(source.counts().refused).toBe(26);
  });

  it('says when RTP carries something else', async () => {
    const source = await listen(`rtp://127.0.0.1:${PORT}`);

    await sendAll(
      sender(),
      numbers(0, 20).map((sequence) => rtp(sequence, Buffer.from('raw video'))),
    );

    await expect.poll(() => source.problems).toEqual(['RTP packets arrive, but they carry no MPEG transport stream']);
  });

  it('T-093 drops datagrams from addresses that are not on the list, and counts them', async () => {
    const source = await listen(`udp://0.0.0.0:${PORT}`, ['127.0.0.2', '10.0.0.0/8']);
    const [listed, other] = [sender(), sender()];
    listed.bind(0, '127.0.0.2');
    await new Promise((done) => listed.once('listening', done));

    await sendAll(other, [packet(1), packet(2)]);
    await sendAll(listed, [packet(3)]);

    await source.until(1);
    expect(source.marks()).toEqual([3]);
    expect(source.counts().refused).toBe(2);
  });

  it('counts what the continuity counters miss', async () => {
    const source = await listen(`udp://127.0.0.1:${PORT}`);

    await sendAll(
      sender(),
      [0, 1, 2, 6, 7, 7, 8].map((mark) => packet(mark)),
    );

    await source.until(7);
    expect(source.counts().lost).toBe(3);
  });

  it('says which port is taken', async () => {
    await listen(`udp://127.0.0.1:${PORT}`);

    await expect(listen(`udp://127.0.0.1:${PORT}`)).rejects.toThrow(`Port ${PORT} of 127.0.0.1 is taken`);
    await expect(listen(`udp://192.0.2.1:${PORT}`)).rejects.toThrow('192.0.2.1 is no address of this machine');
  });

  it('lets go of its port when it is closed', async () => {
    const first = await listen(`udp://127.0.0.1:${PORT}`);

    await first.close();
    await first.ended;

    await listen(`udp://127.0.0.1:${PORT}`);
  });
});

describe('RTP', () => {
  it('is stripped of head, contributing sources, extension and padding', async () => {
    const source = await listen(`rtp://127.0.0.1:${PORT}`);

    await sendAll(sender(), [
      rtp(0, packet(0)),
      rtp(1, packet(1), { csrc: 3 }),
      rtp(2, Buffer.concat([packet(2), packet(3)]), { extension: 2 }),
      rtp(3, packet(4), { csrc: 1, extension: 0, padding: 9 }),
    ]);

    await source.until(5);
    expect(source.marks()).toEqual(numbers(0, 5));
    expect(source.counts().jitterMs).toBeGreaterThanOrEqual(0);
  });

  it('is put in order, over the wrap of its sequence, and doubles are dropped', async () => {
    const source = await listen(`udp://127.0.0.1:${PORT}`);
    const order = [0, 1, 4, 3, 3, 2, 5, 1, 7, 6];

    await sendAll(
      sender(),
      order.map((mark) => rtp(65_533 + mark, packet(mark))),
    );

    await source.until(8);
    expect(source.marks()).toEqual(numbers(0, 8));
    expect(source.counts()).toMatchObject({ lost: 0, reordered: 3 });
  });

  it('waits for what is missing, then counts it as lost and goes on', async () => {
    const source = await listen(`udp://127.0.0.1:${PORT}`);

    await sendAll(
      sender(),
      [0, 1, 5, 6].map((mark) => rtp(mark, packet(mark))),
    );

    await source.until(4);
    expect(source.marks()).toEqual([0, 1, 5, 6]);
    expect(source.counts()).toMatchObject({ lost: 3, reordered: 0 });
  });

  it('does not give up what came while the machine held it up', async () => {
    const source = await listen(`rtp://127.0.0.1:${PORT}`);
    await sendAll(sender(), [rtp(0, packet(0)), rtp(2, packet(2))]);
    await source.until(1);

    // The socket is not read for longer than the wait for a missing packet, and timers run before sockets.
    await new Promise((resolve) => setImmediate(resolve));
    sendFromElsewhere(rtp(1, packet(1)), 2 * WAIT_MS);

    await source.until(3);
    expect(source.marks()).toEqual([0, 1, 2]);
    expect(source.counts()).toMatchObject({ lost: 0, reordered: 1 });
  });

  it('goes on at once when the sender restarts, and takes one odd number for damage', async () => {
    const source = await listen(`udp://127.0.0.1:${PORT}`);

    await sendAll(sender(), [
      rtp(100, packet(0)),
      rtp(40_000, packet(99)),
      rtp(101, packet(1)),
      rtp(9000, packet(2)),
      rtp(9001, packet(3)),
      rtp(5, packet(4), { ssrc: 8 }),
    ]);

    await source.until(5);
    expect(source.marks()).toEqual([0, 1, 2, 3, 4]);
    expect(source.counts().lost).toBe(0);
  });
});

describe('multicast', () => {
  it.each(['127.0.0.1', 'lo'])('is joined on the interface %s, and left', async (named) => {
    const source = await listen(`udp://239.77.1.1:${PORT}?interface=${named}`);
    const socket = sender();
    socket.bind(0);
    await new Promise((done) => socket.once('listening', done));
    socket.setMulticastInterface('127.0.0.1');

    await sendAll(socket, [packet(1)], '239.77.1.1');
    await sendAll(socket, [packet(2)], '239.77.1.2');
    await sendAll(socket, [packet(3)], '127.0.0.1');
    await sendAll(socket, [packet(4)], '239.77.1.1');

    await source.until(2);
    expect(source.marks()).toEqual([1, 4]);
    await source.close();
    await sendAll(socket, [packet(5)], '239.77.1.1');
    expect(source.marks()).toEqual([1, 4]);
  });

  it('says when the interface is not there', async () => {
    await expect(listen(`udp://239.77.1.1:${PORT}?interface=192.0.2.9`)).rejects.toThrow(
      'This machine has no interface 192.0.2.9 for IPv4',
    );
    expect(Object.keys(networkInterfaces())).not.toContain('192.0.2.9');
  });
});
