import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { atEnd } from '../../../../test/cleanup.ts';
import { greeting, second } from '../../../../test/rtmp-publisher.ts';
import { senderList } from '../sender-list.ts';
import { type Refusal, rtmpPort } from './rtmp-port.ts';

/** A port with one place, at `live/key`. */
async function opened(options: { nowMs?: () => number } = {}) {
  const server = createServer();
  const port = rtmpPort(server, options);
  server.on('connection', port.accept);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => port.close());
  const seen = { begun: 0, ended: 0, accepted: 0, refused: [] as Refusal[] };
  port.add('live/key', {
    maySend: senderList([]),
    begin: () => (seen.begun += 1),
    take: () => (seen.accepted += 1),
    end: () => (seen.ended += 1),
    refused: (why) => seen.refused.push(why),
  });
  const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  return { seen, connections, number: (server.address() as AddressInfo).port };
}

function caller(port: number, bytes: Buffer = Buffer.alloc(0)): { socket: Socket; closed: Promise<void> } {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  atEnd(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.resume();
  return { socket, closed: new Promise((resolve) => socket.once('close', () => resolve())) };
}

it('closes a connection that says nothing, or too slowly who it is, and keeps who shows a key', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  atEnd(() => vi.useRealTimers());
  const { seen, number, connections } = await opened();
  const silent = caller(number);
  const slow = caller(number, greeting('live', 'key').subarray(0, 3000));
  const { socket } = caller(number, greeting('live', 'key'));
  await expect.poll(connections).toBe(3);
  await expect.poll(() => seen.begun).toBe(1);

  vi.advanceTimersByTime(10_000);

  await Promise.all([silent.closed, slow.closed]);
  expect(seen).toMatchObject({ begun: 1, refused: ['protocol', 'protocol'] });
  socket.write(second());
  await expect.poll(() => seen.accepted).toBe(22);
});

it('has room for so many connections without a key, and gives it back', async () => {
  const { seen, number } = await opened();
  const waiting = Array.from({ length: 64 }, () => caller(number, Buffer.of(3)));
  await Promise.all(waiting.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));

  await caller(number).closed;
  expect(seen.refused).toEqual(['protocol']);
  for (const { socket } of waiting) socket.destroy();

  await expect
    .poll(async () => {
      caller(number, greeting('live', 'key'));
      return seen.begun;
    })
    .toBeGreaterThan(0);
});

it('lets a second encoder take the place of one that fell silent, and of no other', async () => {
  let nowMs = 0;
  const { seen, number } = await opened({ nowMs: () => nowMs });
  const first = caller(number, Buffer.concat([greeting('live', 'key'), second()]));
  await expect.poll(() => seen.accepted).toBe(22);

  nowMs = 2900;
  await caller(number, greeting('live', 'key')).closed;
  expect(seen).toMatchObject({ begun: 1, ended: 0, refused: ['inUse'] });
  nowMs = 3000;
  caller(number, Buffer.concat([greeting('live', 'key'), second()]));

  await first.closed;
  await expect.poll(() => seen.accepted).toBe(44);
  expect(seen).toMatchObject({ begun: 2, ended: 1 });
});
