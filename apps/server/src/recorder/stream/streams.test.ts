import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { mux } from '../../../../../packages/mpegts/test/streams.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { flightStream } from '../../../test/transport.ts';
import type { FromRecorder, Orders, SourceOrder, SourceState } from '../../recorder-wire/protocol.ts';
import type { LiveListener, LiveStream, OpenSource, SourceSink } from '../components.ts';
import { setAside } from '../crashes/set-aside.ts';
import { SourceError } from '../sources/source-error.ts';
import { streamKeeper } from './streams.ts';

const bytes = flightStream({ pictures: 40 });

type Opened = { url: string; sink: SourceSink; isClosed: boolean; end: () => void };

/** Streams with a clock that the test moves, and sources that it feeds. */
function keeper() {
  let nowMs = 5000;
  const said: FromRecorder[] = [];
  const opened: Opened[] = [];
  const marks: number[] = [];
  let refusal: Error | null = null;
  const open: OpenSource = ({ url }, sink) => {
    if (refusal !== null) throw refusal;
    const { promise, resolve } = Promise.withResolvers<void>();
    const one: Opened = { url, sink, isClosed: false, end: resolve };
    opened.push(one);
    return {
      counts: () => ({ lost: 0, reordered: 0, refused: 3, jitterMs: 1 }),
      ended: promise,
      async close() {
        one.isClosed = true;
      },
    };
  };
  const folder = mkdtempSync(join(tmpdir(), 'osprey-streams-'));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const log = pino({ level: 'silent' });
  const aside = setAside({ folder, wasCrash: false, log, nowUs: () => nowMs * 1000 });
  const streams = streamKeeper({
    aside,
    open,
    openAis: open,
    address: ({ url }) => url.replace('***', 'secret'),
    onKlv: () => undefined,
    onMark: (_stream, rank) => marks.push(rank),
    send: (message) => said.push(message),
    log,
    nowUs: () => nowMs * 1000,
    nowMs: () => nowMs,
  });
  return {
    streams,
    aside,
    said,
    opened,
    marks,
    refuse: (error: Error | null) => {
      refusal = error;
    },
    /** In tenths of a second, as the timer of the recorder does. */
    pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 100) {
        nowMs += 100;
        streams.tick();
      }
    },
    last: () => said.findLast((message) => message.kind === 'source')?.source,
    states: () => said.flatMap((message) => (message.kind === 'source' ? [message.source.state] : [])),
  };
}

const sensor = (over: Partial<SourceOrder> = {}): SourceOrder => ({
  sensorId: randomUUID(),
  name: 'EO',
  type: 'video',
  url: 'udp://127.0.0.1:5000',
  secret: null,
  senders: [],
  on: true,
  ...over,
});

const orders = (...sensors: SourceOrder[]): Orders => ({
  platforms: [
    {
      platformId: '00000000-0000-4000-8000-000000000001',
      name: 'KEA-1',
      description: '',
      type: 'Plane',
      color: '#22CCDD',
      classification: 1,
      marked: true,
      audience: 'everyone',
      usergroups: [],
      priority: 1,
      record: { onPresence: false, schedule: [], preRollSeconds: 0 },
      sensors,
    },
  ],
});

const opening = () => vi.waitFor(() => undefined);

describe('the state of a stream', () => {
  it('is unknown when switched on, online with the first packets of a program, lost after two seconds without', async () => {
    const made = keeper();
    made.streams.ordered(orders(sensor()));
    await opening();
    expect(made.last()?.state).toBe('unknown');
    made.pass(1000);

    made.opened[0]!.sink.packets(bytes.subarray(0, 188 * 50), 1);
    expect(made.last()).toMatchObject({ state: 'online', klv: true, error: null });
    made.pass(1600);
    expect(made.last()?.state).toBe('online');
    made.pass(200);
    expect(made.last()).toMatchObject({ state: 'lost', startedUs: null, video: null });

    made.opened[0]!.sink.packets(bytes, 1);
    expect(made.last()).toMatchObject({ state: 'online', video: { width: 1920, height: 1080, browserPlayable: true } });
  });

  it('is offline when nothing ever came, and when it is switched off', async () => {
    const made = keeper();
    const order = sensor();
    made.streams.ordered(orders(order));
    await opening();
    made.pass(2100);
    expect(made.last()?.state).toBe('offline');
    made.opened[0]!.sink.packets(bytes, 1);
    expect(made.last()?.state).toBe('online');

    made.streams.ordered(orders({ ...order, on: false }));
    expect(made.last()).toMatchObject({ state: 'offline', on: false });
    made.opened[0]!.sink.packets(bytes, 1);

    expect(made.last()?.state).toBe('offline');
    await vi.waitFor(() => expect(made.opened[0]!.isClosed).toBe(true));
  });

  it('says why its source may not be on, until it may', async () => {
    const made = keeper();
    const order = sensor();
    made.streams.ordered(orders({ ...order, on: false, refused: 'There is no such recording' }));
    expect(made.last()).toMatchObject({ on: false, error: 'There is no such recording' });
    expect(made.opened).toEqual([]);

    made.streams.ordered(orders(order));
    await opening();

    expect(made.last()).toMatchObject({ on: true, error: null });
    expect(made.opened).toHaveLength(1);
  });

  it('goes by the monotonic clock and not by that of the packets', async () => {
    const made = keeper();
    made.streams.ordered(orders(sensor()));
    await opening();

    made.opened[0]!.sink.packets(bytes, 4_000_000_000_000_000);
    made.pass(1600);

    expect(made.last()?.state).toBe('online');
  });

  it('says so when packets come that belong to no program', async () => {
    const made = keeper();
    made.streams.ordered(orders(sensor()));
    await opening();
    const filling = Buffer.alloc(188, 0xff);
    filling.set([0x47, 0x1f, 0xff, 0x10]);

    for (let i = 0; i < 40; i++) {
      made.opened[0]!.sink.packets(filling, 1);
      made.pass(100);
    }

    expect(made.last()).toMatchObject({ state: 'offline', error: 'Packets arrive, but no program is among them' });
    made.opened[0]!.sink.packets(bytes, 1);
    expect(made.last()).toMatchObject({ state: 'online', error: null });
  });

  it('says that a stream is sound alone', async () => {
    const made = keeper();
    made.streams.ordered(orders(sensor()));
    await opening();
    const streams = [{ pid: 257, kind: 'aac' as const }];
    const units = Array.from({ length: 20 }, (_, n) => ({ pid: 257, ptsTicks: n * 1920, bytes: new Uint8Array(300) }));

    made.opened[0]!.sink.packets(mux({ streams }, units), 1);
    made.pass(1600);

    const error = 'The stream is sound alone: neither pictures nor telemetry are in it';
    expect(made.last()).toMatchObject({ state: 'online', video: null, klv: false, error });
  });

  it('counts bits over two seconds and is reported at most once a second', async () => {
    const made = keeper();
    made.streams.ordered(orders(sensor()));
    await opening();
    made.opened[0]!.sink.packets(bytes.subarray(0, 188 * 100), 1);
    const before = made.said.length;

    for (let i = 0; i < 30; i++) {
      made.opened[0]!.sink.packets(bytes.subarray(188 * 100, 188 * 110), 1);
      made.pass(100);
    }

    expect(made.said.length - before).toBeLessThanOrEqual(4);
    expect(made.last()?.bitsPerSecond).toBeCloseTo(188 * 10 * 10 * 8, -4);
    expect(made.last()).toMatchObject({ refused: 3, jitterMs: 1 });
  });
});

describe('a source', () => {
  it('is opened with its password, and again when its address changes', async () => {
    const made = keeper();
    const order = sensor({ url: 'srt://cam:***@10.0.0.1:9000' });
    made.streams.ordered(orders(order));
    await opening();
    made.streams.ordered(orders(order));
    await opening();
    expect(made.opened.map(({ url }) => url)).toEqual(['srt://cam:secret@10.0.0.1:9000']);

    made.streams.ordered(orders({ ...order, url: 'srt://cam:***@10.0.0.2:9000' }));

    await vi.waitFor(() => expect(made.opened).toHaveLength(2));
    expect(made.opened[0]?.isClosed).toBe(true);
    expect(JSON.stringify(made.said)).not.toContain('secret');
  });

  it('is opened again after it ended or could not be opened, and says why in between', async () => {
    const made = keeper();
    made.refuse(new SourceError('Port 5000 of 127.0.0.1 is taken by another program or source'));
    made.streams.ordered(orders(sensor()));
    await vi.waitFor(() => expect(made.last()?.error).toContain('is taken'));

    made.refuse(null);
    await vi.waitFor(() => expect(made.opened).toHaveLength(1));
    await vi.waitFor(() => expect(made.last()?.error).toBeNull());
    made.opened[0]!.sink.packets(bytes, 1);
    made.opened[0]!.end();

    await vi.waitFor(() => expect(made.opened).toHaveLength(2));
    expect(made.opened[0]!.isClosed).toBe(true);
    expect(made.last()?.state).toBe('online');
  });
});

describe('streams', () => {
  it('come and go with their orders, and stay as long as a listener keeps them', async () => {
    const made = keeper();
    const [first, second] = [sensor(), sensor()];
    const there: string[] = [];
    made.streams.each((stream: LiveStream) => {
      there.push(stream.sensorId);
      return () => there.splice(there.indexOf(stream.sensorId), 1);
    });
    made.streams.ordered(orders(first, second));
    await opening();
    const release = made.streams.find(first.sensorId)!.keep();

    made.streams.ordered({ platforms: [] });
    await vi.waitFor(() => expect(there).toEqual([first.sensorId]));
    expect(made.said.at(-1)).toEqual({ kind: 'sourceGone', sensorId: second.sensorId });
    expect(made.opened[0]?.isClosed).toBe(false);
    release();

    await vi.waitFor(() => expect(there).toEqual([]));
    expect(made.opened[0]?.isClosed).toBe(true);
    expect(made.streams.described()).toEqual([]);
  });

  it('give all that comes to each listener, also when another one fails', async () => {
    const made = keeper();
    const order = sensor();
    made.streams.ordered(orders(order));
    await opening();
    const stream = made.streams.find(order.sensorId)!;
    const got: Buffer[] = [];
    const words: string[] = [];
    const broken: LiveListener = {
      unit() {
        throw new Error('broken');
      },
      packets() {
        throw new Error('broken');
      },
    };
    stream.listen(broken);
    stream.listen({
      unit: ({ keyframe }) => void (keyframe && words.push('key')),
      packets: (piece) => void got.push(Buffer.from(piece)),
      klv: () => void words.push('klv'),
      lost: () => void words.push('lost'),
    });

    made.opened[0]!.sink.packets(bytes, 1);
    made.pass(2100);

    expect(Buffer.concat(got).equals(bytes)).toBe(true);
    expect(words.filter((word) => word === 'klv')).toHaveLength(40);
    expect(words.filter((word) => word === 'key')).toHaveLength(4);
    expect(words.at(-1)).toBe('lost');
    expect(stream.facts()).toBeNull();
  });

  it('that end the recorder twice are closed and say so, until they are tried again', async () => {
    const made = keeper();
    const [good, bad] = [sensor(), sensor()];
    made.streams.ordered(orders(good, bad));
    await opening();
    made.opened[1]!.sink.packets(bytes.subarray(0, 188 * 50), 1);
    const fault = new Error('broken');
    const { streams, aside } = made;
    for (let crash = 0; crash < 2; crash += 1) {
      const read = aside.reading.of(bad.sensorId, () => {
        throw fault;
      });
      expect(read).toThrow(fault);
      aside.crashed(fault);
    }

    // As the next recorder reads its orders.
    streams.ordered(orders(good, bad));
    await opening();
    const states = () => streams.described().map(({ on, aside: retained }) => [on, retained !== undefined]);
    expect(states()).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(streams.described()[1]?.error).toMatch(/^Set aside until \d\d:\d\d Z/);
    await vi.waitFor(() => expect(made.opened.map(({ isClosed }) => isClosed)).toEqual([false, true]));

    expect(streams.retry(bad.sensorId)).toBe(true);
    expect(streams.retry(bad.sensorId)).toBe(false);
    await vi.waitFor(() => expect(made.opened).toHaveLength(3));
    expect(states()).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it('that cannot be read end alone, the second time within a minute they are set aside', async () => {
    const made = keeper();
    const [good, bad] = [sensor(), sensor()];
    made.streams.ordered(orders(good, bad));
    await opening();
    const source = made.opened[1]!;
    const lost = vi.fn();
    made.streams.find(bad.sensorId)!.listen({ unit: () => undefined, packets: () => undefined, lost });
    source.sink.packets(bytes.subarray(0, 188 * 50), 1);
    const fail = () => {
      const fault = new Error('broken');
      const read = source.sink.reading(() => {
        throw fault;
      });
      expect(read).toThrow(fault);
      source.sink.failed(fault);
    };

    fail();
    expect(lost).toHaveBeenCalledTimes(1);
    const [one, other] = made.streams.described();
    expect([one?.error, other?.error]).toEqual([null, 'The stream cannot be read: the log of the recorder says why']);
    expect(other?.aside).toBeUndefined();

    fail();
    const after = made.streams.described();
    expect(after.map(({ on, aside }) => [on, aside !== undefined])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(after[1]?.error).toMatch(/reading this stream failed twice within a minute/);
  });

  it('T-086 that stall, send noise or switch their PIDs take nothing from other streams', async () => {
    const made = keeper();
    const [good, noisy, stalling, switching] = [sensor(), sensor(), sensor(), sensor()];
    made.streams.ordered(orders(good, noisy, stalling, switching));
    await opening();
    const got: Buffer[] = [];
    made.streams
      .find(good.sensorId)!
      .listen({ unit: () => undefined, packets: (piece) => got.push(Buffer.from(piece)) });
    const other = flightStream({ pictures: 40, videoPid: 700 });
    const noise = Buffer.from(Array.from({ length: 188 * 100 }, (_, i) => (i % 188 === 0 ? 0x47 : (i * 7919) & 0xff)));

    const sink = (order: SourceOrder) => made.opened[[good, noisy, stalling, switching].indexOf(order)]!.sink;
    sink(stalling).packets(bytes.subarray(0, 188 * 20), 1);
    for (let at = 0, round = 0; at < bytes.length; at += 188 * 7, round++) {
      sink(good).packets(bytes.subarray(at, at + 188 * 7), 1);
      sink(noisy).packets(noise, 1);
      sink(switching).packets((round % 20 < 10 ? bytes : other).subarray(at, at + 188 * 7), 1);
      made.pass(100);
    }

    const states = new Map(
      made.streams.described().map(({ sensorId, state }): [string, SourceState['state']] => [sensorId, state]),
    );
    expect(Buffer.concat(got).equals(bytes)).toBe(true);
    expect(states.get(good.sensorId)).toBe('online');
    expect(states.get(noisy.sensorId)).toBe('offline');
    expect(states.get(stalling.sensorId)).toBe('lost');
    expect(states.get(switching.sensorId)).toBe('online');
  });
});
