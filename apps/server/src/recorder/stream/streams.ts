import type { FromRecorder, Orders, PlatformOrder, SourceOrder, SourceState } from '../../recorder-wire/protocol.ts';
import { aisStream } from '../ais/ais-stream.ts';
import type { LiveStream, LiveStreams } from '../components.ts';
import type { SetAside } from '../crashes/set-aside.ts';
import type { ManagedStream, StreamDeps } from './managed-stream.ts';
import { transportStream } from './transport-stream.ts';

const TICK_MS = 100;
/** Minimum interval between reports of a stream's counts. */
const COUNTS_MS = 1000;

export type StreamKeeper = LiveStreams & {
  /** Applies orders. Streams that the orders do not name are removed, unless they are in use. */
  ordered(orders: Orders): void;
  described(): SourceState[];
  /** Reads a sensor again that was set aside after errors. Returns false if it was not set aside. */
  retry(sensorId: string): boolean;
  /** Whether any source is switched on. */
  isAnyOn(): boolean;
  /** Starts the timer. */
  start(): void;
  tick(): void;
  close(): Promise<void>;
};

type Deps = Omit<StreamDeps, 'onChange' | 'onReleased' | 'onFailed' | 'reading'> & {
  aside: SetAside;
  send(message: FromRecorder): void;
};

const isAis = ({ type }: SourceOrder): boolean => type === 'ais';

type Visitor = { add: (stream: LiveStream) => () => void; gone: Map<LiveStream, () => void> };

/** Creates the keeper of the streams that the orders name. */
export function streamKeeper(deps: Deps): StreamKeeper {
  const { send, nowMs, aside } = deps;
  const streams = new Map<string, ManagedStream>();
  const visitors: Visitor[] = [];
  /** Last message sent about each sensor, and the time when it was sent. */
  const reported = new Map<string, { text: string; atMs: number }>();
  let last: Orders = { platforms: [] };
  let timer: NodeJS.Timeout | null = null;

  const streamDeps: StreamDeps = {
    ...deps,
    reading: aside.reading,
    onChange: describe,
    onReleased: () => removeUnrequested(),
    onFailed: failed,
  };

  function sourceOf(stream: ManagedStream): SourceState {
    const retained = aside.of(stream.sensorId);
    const described = stream.described();
    return retained === null
      ? described
      : { ...described, aside: { sinceUs: retained.sinceUs, untilUs: retained.untilUs } };
  }

  function describe(stream: ManagedStream): void {
    const source = sourceOf(stream);
    reported.set(stream.sensorId, { text: JSON.stringify(source), atMs: nowMs() });
    send({ kind: 'source', source });
  }

  function ordered(orders: Orders): void {
    last = orders;
    for (const platform of orders.platforms) {
      for (const order of platform.sensors.map(aside.order)) {
        const existing = streams.get(order.sensorId);
        // A sensor whose kind has changed (AIS or transport stream) needs a different stream object.
        if (existing !== undefined && isAis(existing.order()) !== isAis(order)) remove(existing);
        const stream = streams.get(order.sensorId) ?? add(newStream(order, platform));
        stream.ordered(order, platform);
      }
    }
    removeUnrequested();
  }

  function add(stream: ManagedStream): ManagedStream {
    streams.set(stream.sensorId, stream);
    describe(stream);
    for (const visitor of visitors) visitor.gone.set(stream, visitor.add(stream));
    return stream;
  }

  const newStream = (order: SourceOrder, platform: PlatformOrder): ManagedStream =>
    (isAis(order) ? aisStream : transportStream)({ order, platform }, streamDeps);

  function removeUnrequested(): void {
    const requested = new Set(last.platforms.flatMap(({ sensors }) => sensors.map(({ sensorId }) => sensorId)));
    for (const stream of streams.values()) {
      if (requested.has(stream.sensorId) || stream.isRetained()) continue;
      remove(stream);
    }
  }

  function remove(stream: ManagedStream): void {
    streams.delete(stream.sensorId);
    reported.delete(stream.sensorId);
    void stream.close().then(() => {
      for (const visitor of visitors) {
        visitor.gone.get(stream)?.();
        visitor.gone.delete(stream);
      }
    });
    send({ kind: 'sourceGone', sensorId: stream.sensorId });
  }

  function retry(sensorId: string): boolean {
    const wasAside = aside.retry(sensorId);
    if (wasAside) ordered(last);
    return wasAside;
  }

  /**
   * Handles an internal error: the recorder continues, but without this sensor after a second error within a minute.
   */
  function failed(error: unknown): void {
    deps.log.error({ error }, 'a stream could not be read');
    aside.crashed(error);
    ordered(last);
  }

  function tick(): void {
    if (aside.isDue()) ordered(last);
    for (const stream of streams.values()) {
      stream.tick();
      const before = reported.get(stream.sensorId)!;
      if (nowMs() - before.atMs < COUNTS_MS) continue;
      before.atMs = nowMs();
      if (before.text !== JSON.stringify(sourceOf(stream))) describe(stream);
    }
  }

  return {
    find: (sensorId) => streams.get(sensorId) ?? null,
    each(visit) {
      const visitor: Visitor = { add: visit, gone: new Map() };
      visitors.push(visitor);
      for (const stream of streams.values()) visitor.gone.set(stream, visit(stream));
    },
    ordered,
    described: () => [...streams.values()].map(sourceOf),
    retry,
    isAnyOn: () => [...streams.values()].some((stream) => stream.order().on),
    start() {
      timer ??= setInterval(tick, TICK_MS);
    },
    tick,
    async close() {
      if (timer) clearInterval(timer);
      await Promise.all([...streams.values()].map((stream) => stream.close()));
    },
  };
}
