import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { mux } from '../../../../../packages/mpegts/test/streams.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { flightStream } from '../../../test/transport.ts';
import type { Probed, SourceOrder } from '../../recorder-wire/protocol.ts';
import type { OpenSource, SourceSink } from '../components.ts';
import type { Connection } from '../serve/connection.ts';
import { SourceError } from '../sources/source-error.ts';
import { probes } from './probes.ts';

const order: SourceOrder = {
  ...{ sensorId: randomUUID(), name: 'test', type: 'video', url: 'udp://127.0.0.1:5000', secret: null },
  ...{ senders: [], on: true },
};

/** Probes of one connection, with a clock that the test moves and sources that it feeds. */
function probing({ refusal = null }: { refusal?: Error | null } = {}) {
  let passedMs = 0;
  const sinks: SourceSink[] = [];
  const results: Probed[] = [];
  let closed = 0;
  const open: OpenSource = (_source, sink) => {
    if (refusal !== null) throw refusal;
    sinks.push(sink);
    const { promise } = Promise.withResolvers<void>();
    return {
      counts: () => ({ lost: 0, reordered: 0, refused: 0, jitterMs: null }),
      ended: promise,
      async close() {
        closed += 1;
      },
    };
  };
  const all = probes({
    ...{ open, openAis: open },
    address: ({ url }) => url,
    reading: { of: (_sensorId, read) => read },
    log: pino({ level: 'silent' }),
    nowUs: () => Date.now() * 1000,
    nowMs: () => performance.now() + passedMs,
  });
  atEnd(all.close);
  const from = {
    send: (message: { kind: string; result?: Probed }) => void (message.result && results.push(message.result)),
  } as unknown as Connection;
  return {
    ...all,
    from,
    sinks,
    results,
    closed: () => closed,
    begin: (request = 1) => all.begin({ request, order }, from),
    pass(ms: number) {
      passedMs += ms;
    },
    source: () => vi.waitFor(() => sinks.at(-1) ?? Promise.reject(new Error('no source'))),
    result: () => vi.waitFor(() => results[0] ?? Promise.reject(new Error('no result')), 5000),
  };
}

describe('a probe', () => {
  it('ends with the first pictures, from a key frame on and after their tables', async () => {
    const made = probing();
    made.begin();
    const sink = await made.source();
    const flight = flightStream({ pictures: 25 });

    // The first pictures arrive in the middle of a group.
    sink.packets(flight.subarray(188 * 60), 1);
    const passing = setInterval(() => made.pass(500), 50);
    atEnd(() => clearInterval(passing));

    const { error, packets, video } = await made.result();
    expect(error).toBeNull();
    expect(video?.codec).toBe('h264');
    const bytes = Buffer.from(packets!, 'base64');
    expect(bytes.length % 188).toBe(0);
    expect(bytes.readUInt16BE(1) & 0x1fff).toBe(0);
    expect(flight.includes(bytes.subarray(188 * 3, 188 * 6))).toBe(true);
    expect(bytes.length).toBeLessThan(flight.length);
    await vi.waitFor(() => expect(made.closed()).toBe(1));
  });

  it('ends by itself when no packet ever arrives', async () => {
    const made = probing();
    made.begin();
    await made.source();
    made.pass(19_000);
    expect(made.results).toEqual([]);

    made.pass(1000);

    expect((await made.result()).error).toBe('No packet arrived within 20 s');
    await vi.waitFor(() => expect(made.closed()).toBe(1));
  });

  it('says that a stream has no video', async () => {
    const made = probing();
    made.begin();
    const sink = await made.source();
    const klv = Buffer.from('060e2b34020b01010e01030101000000020405', 'hex');
    const streams = [{ pid: 257, kind: 'klvAsync' }] as const;
    sink.packets(mux({ streams: [...streams] }, [{ pid: 257, ptsTicks: 90_000, bytes: klv }]), 1);
    await vi.waitFor(() => expect(made.results).toEqual([]));

    const feeding = setInterval(() => made.pass(500), 20);
    atEnd(() => clearInterval(feeding));

    expect((await made.result()).error).toBe('The stream has no video');
  });

  it('takes no more of endless pictures than their limit', async () => {
    const made = probing();
    made.begin();
    const sink = await made.source();
    const flight = flightStream({ pictures: 3, filling: 6 * 1024 * 1024 });
    for (let at = 0; at < flight.length; at += 188 * 1000) sink.packets(flight.subarray(at, at + 188 * 1000), 1);

    const { error, packets } = await made.result();
    expect([error, packets]).toEqual(['The first pictures are larger than 4 MiB', null]);
  });

  it('ends with a fault of the source that stays', async () => {
    const made = probing({ refusal: new SourceError('Port 5000 of 127.0.0.1 is taken by another program or source') });
    made.begin();
    await vi.waitFor(() => expect(made.results).toEqual([]));
    const passing = setInterval(() => made.pass(500), 50);
    atEnd(() => clearInterval(passing));

    expect((await made.result()).error).toBe('Port 5000 of 127.0.0.1 is taken by another program or source');
  });

  it('ends when its process leaves or asks for it, and four run at once', async () => {
    const made = probing();
    for (const request of [1, 2, 3, 4, 5]) made.begin(request);
    expect(made.results.map(({ error }) => error)).toEqual([
      'Other addresses are being tested now: please try again in a moment',
    ]);
    await vi.waitFor(() => expect(made.sinks).toHaveLength(4));

    made.end(2, made.from);
    await vi.waitFor(() => expect(made.closed()).toBe(1));
    made.gone(made.from);
    await vi.waitFor(() => expect(made.closed()).toBe(4));

    made.pass(60_000);
    made.begin(6);
    await vi.waitFor(() => expect(made.sinks).toHaveLength(5));
    expect(made.results).toHaveLength(1);
  });
});
