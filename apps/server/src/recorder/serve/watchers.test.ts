import { randomUUID } from 'node:crypto';
import { PACKET_SIZE } from '@osprey/mpegts';
import { describe, expect, it } from 'vitest';
import { flightStream } from '../../../test/transport.ts';
import { readMediaMessage } from '../../recorder-wire/media-messages.ts';
import type { LiveListener, LiveStream } from '../components.ts';
import { pipeline } from '../stream/pipeline.ts';
import type { Connection, MediaPiece } from './connection.ts';
import { watchers } from './watchers.ts';

/** Bytes of a frame before its payload. */
const FRAME_HEAD = 5;
const sensorId = randomUUID();

/** One stream that the test feeds. */
function oneStream() {
  const listeners = new Set<LiveListener>();
  const notify = (word: (listener: LiveListener) => void) => {
    for (const each of listeners) word(each);
  };
  const reader = pipeline({
    online: () => undefined,
    unit: (unit, facts) => notify((each) => each.unit(unit, facts)),
    packets: (bytes, arrivalUs) => notify((each) => each.packets(bytes, arrivalUs)),
    changed: (facts) => notify((each) => each.changed?.(facts)),
    klv: () => undefined,
  });
  const stream: Pick<LiveStream, 'sensorId' | 'listen'> = {
    sensorId,
    listen(listener: LiveListener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const streams: Parameters<typeof watchers>[0] = { each: (add) => void add(stream) };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    streams,
    /** In datagrams of seven packets, with a turn of the event loop after each. */
    async send(bytes: Buffer) {
      for (let at = 0; at < bytes.length; at += 7 * PACKET_SIZE) {
        reader.push(bytes.subarray(at, at + 7 * PACKET_SIZE), 1_000_000 + at);
        await turn();
      }
    },
    lose: () => notify((each) => each.lost?.()),
  };
}

/** A process that watches; `full` it takes no media. */
function watcher() {
  const frames: { lost: boolean; packets: Buffer; arrivalUs: number }[] = [];
  const state = { full: false };
  const connection: Connection = {
    send: () => undefined,
    sendSlowly: () => undefined,
    sendKlv: () => undefined,
    sendMedia(pieces: readonly MediaPiece[]) {
      if (state.full) return false;
      for (const { head, packets } of pieces) {
        frames.push(readMediaMessage(Buffer.concat([head.subarray(FRAME_HEAD), packets])));
      }
      return true;
    },
    hasRoom: () => !state.full,
    check: () => undefined,
    close: () => undefined,
  };
  return { connection, frames, state, bytes: () => Buffer.concat(frames.map(({ packets }) => packets)) };
}

/** Where the pictures of these numbers begin, including the tables before key frames. */
function keyPlaces(bytes: Buffer): number[] {
  const found: number[] = [];
  for (let at = 0; at < bytes.length; at += PACKET_SIZE) {
    const pid = bytes.readUInt16BE(at + 1) & 0x1fff;
    const isStart = (bytes[at + 1]! & 0x40) !== 0;
    if (pid === 256 && isStart && bytes.subarray(at, at + PACKET_SIZE).includes(Buffer.from('0000000167', 'hex')))
      found.push(at);
  }
  return found;
}

describe('who watches a stream', () => {
  it('gets every packet from its last key frame on, with the tables in front, and the first frame marked', async () => {
    const source = oneStream();
    const watching = watchers(source.streams);
    const bytes = flightStream({ pictures: 45 });
    const keys = keyPlaces(bytes);
    const cut = keys[2]! + 7 * PACKET_SIZE * 3;
    await source.send(bytes.subarray(0, cut));

    const one = watcher();
    watching.watch(sensorId, one.connection);
    await source.send(bytes.subarray(cut));

    const got = one.bytes();
    expect([0, PACKET_SIZE].map((at) => got.readUInt16BE(at + 1) & 0x1fff)).toEqual([0, 0x1000]);
    expect(got.subarray(2 * PACKET_SIZE).equals(bytes.subarray(keys[2]!))).toBe(true);
    expect(one.frames.map(({ lost }) => lost).indexOf(true, 1)).toBe(-1);
    expect(one.frames[0]?.lost).toBe(true);
    expect(one.frames.every(({ arrivalUs }) => arrivalUs >= 1_000_000)).toBe(true);
  });

  it('too slowly loses pictures up to a key frame, and the others lose nothing', async () => {
    const source = oneStream();
    const watching = watchers(source.streams);
    const bytes = flightStream({ pictures: 60 });
    const keys = keyPlaces(bytes);
    const [slow, quick] = [watcher(), watcher()];
    watching.watch(sensorId, slow.connection);
    watching.watch(sensorId, quick.connection);
    const full = keys[1]! + 7 * PACKET_SIZE * 2;
    const free = keys[3]! + 7 * PACKET_SIZE * 4;

    await source.send(bytes.subarray(0, full));
    slow.state.full = true;
    await source.send(bytes.subarray(full, free));
    slow.state.full = false;
    await source.send(bytes.subarray(free));

    expect(
      quick
        .bytes()
        .subarray(2 * PACKET_SIZE)
        .equals(bytes.subarray(keys[0]!)),
    ).toBe(true);
    const marked = slow.frames.map(({ lost }, index) => (lost ? index : -1)).filter((index) => index >= 0);
    expect(marked).toHaveLength(2);
    const after = Buffer.concat(slow.frames.slice(marked[1]).map(({ packets }) => packets));
    expect(after.subarray(2 * PACKET_SIZE).equals(bytes.subarray(keys[4]!))).toBe(true);
  });

  it('waits for the next key frame after the stream was lost', async () => {
    const source = oneStream();
    const watching = watchers(source.streams);
    const bytes = flightStream({ pictures: 30 });
    const keys = keyPlaces(bytes);
    const one = watcher();
    watching.watch(sensorId, one.connection);
    const cut = keys[1]! + 7 * PACKET_SIZE * 2;

    await source.send(bytes.subarray(0, cut));
    source.lose();
    const before = one.bytes().length;
    const late = watcher();
    watching.watch(sensorId, late.connection);
    expect(late.frames).toEqual([]);
    await source.send(bytes.subarray(cut));

    expect(
      one
        .bytes()
        .subarray(before + 2 * PACKET_SIZE)
        .equals(bytes.subarray(keys[2]!)),
    ).toBe(true);
    expect(late.bytes().equals(one.bytes().subarray(before))).toBe(true);
  });

  it('no longer gets nothing', async () => {
    const source = oneStream();
    const watching = watchers(source.streams);
    const bytes = flightStream({ pictures: 30 });
    const [first, second] = [watcher(), watcher()];
    watching.watch(sensorId, first.connection);
    watching.watch(sensorId, second.connection);
    await source.send(bytes.subarray(0, 188 * 70));

    watching.unwatch(sensorId, first.connection);
    watching.gone(second.connection);
    const counts = [first.frames.length, second.frames.length];
    await source.send(bytes.subarray(188 * 70));

    expect([first.frames.length, second.frames.length]).toEqual(counts);
  });
});
