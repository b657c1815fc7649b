import type { Logger } from 'pino';
import type { LiveKlv } from '../../recorder-wire/media-messages.ts';
import type { PlatformOrder, SourceOrder, SourceState } from '../../recorder-wire/protocol.ts';
import type { LiveStream, OpenSource, StreamFacts } from '../components.ts';
import type { Reading } from '../crashes/reading.ts';
import { sourceKeeper } from './source-keeper.ts';
import { type StreamMeter, streamMeter } from './stream-meter.ts';
import { type StreamUsers, streamUsers } from './stream-users.ts';
import type { StreamWatch } from './stream-watch.ts';

/** A stream with the methods that only the stream keeper uses. */
export type ManagedStream = LiveStream & {
  /** Applies orders, which may be the same as the previous ones. */
  ordered(order: SourceOrder, platform: PlatformOrder): void;
  /** Called ten times a second. */
  tick(): void;
  described(): SourceState;
  isRetained(): boolean;
  close(): Promise<void>;
};

export type StreamDeps = {
  open: OpenSource;
  /** Opens AIS sources, which pass on lines. */
  openAis: OpenSource;
  reading: Pick<Reading, 'of'>;
  /** Builds the address of the source, including its passwords. */
  address(order: SourceOrder): string;
  /** Called to report a changed state or format immediately. */
  onChange(stream: ManagedStream): void;
  onKlv(sensorId: string, klv: LiveKlv): void;
  onMark(stream: ManagedStream, rank: number): void;
  /** Called when an internal error stopped the reading of a sensor's bytes. */
  onFailed(error: unknown): void;
  /** Called when the platform was removed and the last user of the stream has released it. */
  onReleased(): void;
  log: Logger;
  nowUs(): number;
  nowMs(): number;
};

export type FirstOrder = { order: SourceOrder; platform: PlatformOrder };

/** Handles the content of a source: a transport stream, or lines of AIS. */
export type StreamContent = {
  /** Name of this kind of content in the log. */
  name: string;
  open: OpenSource;
  /** Takes bytes of the source; called only while the source is switched on. */
  receive(bytes: Uint8Array, arrivalUs: number): void;
  isOnline(): boolean;
  facts(): StreamFacts | null;
  /** Called for new orders, which may leave the source unchanged. */
  ordered?(order: SourceOrder): void;
  /** Called when the source is replaced by another one, or closed. */
  switched?(): void;
  /** Called when the state has changed, before the change is reported. */
  became(): void;
  /** Called after an internal error, when the state of the reader may be wrong. */
  failed?(): void;
  tick(): void;
  described(): Pick<SourceState, 'video' | 'klv'> & Partial<SourceState>;
  close(): void;
};

/** The parts of a managed stream that the handler of its content uses. */
export type StreamHost = {
  /** The stream itself, which is passed to its listeners. */
  stream(): ManagedStream;
  order(): SourceOrder;
  notify: StreamUsers['notify'];
  meter: Pick<StreamMeter, 'add'>;
  watch: Pick<StreamWatch, 'state'>;
  /** Records that data arrived. Returns true if this has put the stream online. */
  onData(isProgram: boolean): boolean;
  /** Records that the data of this content have begun or ended. */
  started(hasStarted: boolean): void;
  changed(): void;
  /**
   * Sets the reason why no data arrive; null: no problem. A reason is reported only if it differs from the previous
   * one.
   */
  problem(text: string | null): void;
  /** Clears this problem without reporting it. */
  solved(text: string): void;
};

/**
 * Keeps the source of one sensor open as ordered. Counts, reports and passes on the data that the content handler reads
 * from it.
 */
export function managedStream(
  first: FirstOrder,
  deps: StreamDeps,
  watch: StreamWatch,
  contentOf: (host: StreamHost) => StreamContent,
): ManagedStream {
  const { nowMs, nowUs } = deps;
  let { order, platform } = first;
  const { sensorId } = order;
  const log = deps.log.child({ sensorId });
  const users = streamUsers({ log, onReleased: deps.onReleased });
  const meter = streamMeter();
  const keeper = sourceKeeper({
    sink: { packets: receive, problem, reading: (read) => deps.reading.of(sensorId, read), failed },
    log,
  });
  let requestedKey = '';
  let since = nowUs();
  let startedUs: number | null = null;
  let trouble: string | null = null;
  const content = contentOf({
    stream: () => stream,
    order: () => order,
    notify: users.notify,
    meter,
    watch,
    onData(isProgram) {
      const isNew = watch.onData(isProgram, nowMs());
      if (isNew) became();
      return isNew;
    },
    started(hasStarted) {
      startedUs = hasStarted ? nowUs() : null;
    },
    changed: () => deps.onChange(stream),
    problem,
    solved(text) {
      if (trouble === text) trouble = null;
    },
  });

  function receive(bytes: Uint8Array, arrivalUs: number): void {
    // Bytes that still arrive from a source that is being closed are ignored.
    if (order.on) content.receive(bytes, arrivalUs);
  }

  function became(): void {
    since = nowUs();
    content.became();
    log.info({ state: watch.state() }, content.name);
    deps.onChange(stream);
  }

  function problem(text: string | null): void {
    if (text === trouble) return;
    trouble = text;
    if (text !== null) log.warn({ text }, 'source');
    deps.onChange(stream);
  }

  function failed(error: unknown): void {
    content.failed?.();
    deps.onFailed(error);
  }

  function requested() {
    // The address is built at each opening, so that an error in decrypting its passwords counts as a failure to open
    // the source.
    const open: OpenSource = (source, sink) => content.open({ ...source, url: deps.address(order) }, sink);
    return { open, url: order.url, senders: order.senders };
  }

  const stream: ManagedStream = {
    sensorId,
    order: () => order,
    platform: () => platform,
    isOnline: content.isOnline,
    facts: content.facts,
    listen: users.listen,
    keep: users.keep,
    isRetained: users.isRetained,
    ordered(nextOrder, nextPlatform) {
      order = nextOrder;
      platform = nextPlatform;
      content.ordered?.(order);
      const refusal = order.refused ?? null;
      const key = order.on ? JSON.stringify([order.url, order.secret, order.senders]) : (refusal ?? '');
      if (key === requestedKey) return;
      requestedKey = key;
      trouble = refusal;
      content.switched?.();
      keeper.want(order.on ? requested() : null);
      if (watch.switched(order.on, nowMs())) became();
      else deps.onChange(stream);
    },
    tick() {
      meter.tick(nowMs());
      if (watch.tick(nowMs())) became();
      content.tick();
    },
    described() {
      const { error = null, ...more } = content.described();
      return {
        sensorId,
        platformId: platform.platformId,
        on: order.on,
        state: watch.state(),
        since,
        startedUs,
        bytes: meter.bytes(),
        bitsPerSecond: meter.bitsPerSecond(),
        packets: meter.packets(),
        ...keeper.counts(),
        ...more,
        error: trouble ?? error,
      };
    },
    async close() {
      await keeper.close();
      content.close();
    },
  };
  return stream;
}
