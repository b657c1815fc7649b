import { STAMP_BYTES } from '../../recorder-wire/ais-files.ts';
import type { PlatformOrder, SourceOrder } from '../../recorder-wire/protocol.ts';
import type { OpenSource } from '../parts.ts';
import { sourceKeeper } from '../stream/source-keeper.ts';
import type { ManagedStream, StreamDeps } from '../stream/stream.ts';
import { streamMeter } from '../stream/stream-meter.ts';
import { streamUsers } from '../stream/stream-users.ts';
import { streamWatch } from '../stream/stream-watch.ts';
import { sentenceIntake } from './sentence-intake.ts';

/** Lines without a sentence, received before the first sentence, after which the operator is notified. */
const JUNK_TOLD = 20;
/** In quiet waters minutes may pass between two sentences; a receiver that hears nothing for so long is worth a look. */
const SILENT_MS = 60_000;
/** A source that was switched on and has heard nothing yet. */
const UNKNOWN_MS = 2000;
const NO_AIS = 'Data arrive, but they are not AIS sentences (NMEA 0183, !AIVDM)';

/**
 * A source of AIS: lines in, stamped lines out to its listeners. There are no pictures and no programs, so listeners
 * get `packets` and `lost` alone.
 */
export function aisStream(first: { order: SourceOrder; platform: PlatformOrder }, deps: StreamDeps): ManagedStream {
  const { nowMs, nowUs } = deps;
  let { order, platform } = first;
  const { sensorId } = order;
  const log = deps.log.child({ sensorId });
  const users = streamUsers({ log, onReleased: deps.onReleased });
  const watch = streamWatch({ lostMs: SILENT_MS, unknownMs: UNKNOWN_MS });
  const meter = streamMeter();
  const keeper = sourceKeeper({
    sink: { packets: receive, problem, reading: (read) => deps.reading.of(sensorId, read), failed: deps.onFailed },
    log,
  });
  const intake = sentenceIntake({ nowMs, onLine: take, onJunk: junk });
  let wantedKey = '';
  let since = nowUs();
  let startedUs: number | null = null;
  let trouble: string | null = null;

  /** One line without its end. */
  function receive(line: Uint8Array, arrivalUs: number): void {
    if (order.on) intake.line(line, arrivalUs);
  }

  function take(bytes: Uint8Array): void {
    meter.add(bytes.length - STAMP_BYTES - 1, 1);
    const { lastUs } = intake.counts();
    users.tell((listener) => listener.packets(bytes, lastUs ?? nowUs()));
    if (watch.heard(true, nowMs())) {
      startedUs = nowUs();
      became();
    }
  }

  function junk(): void {
    const { sentences, otherLines } = intake.counts();
    if (sentences === 0 && otherLines === JUNK_TOLD) problem(NO_AIS);
  }

  function became(): void {
    since = nowUs();
    if (watch.state() !== 'online') {
      startedUs = null;
      users.tell((listener) => listener.lost?.());
    } else if (trouble === NO_AIS) trouble = null;
    log.info({ state: watch.state() }, 'AIS source');
    deps.onChange(stream);
  }

  function problem(text: string | null): void {
    if (text === trouble) return;
    trouble = text;
    if (text !== null) log.warn({ text }, 'source');
    deps.onChange(stream);
  }

  function wanted() {
    const open: OpenSource = (source, sink) => deps.openAis({ ...source, url: deps.address(order) }, sink);
    return { open, url: order.url, senders: order.senders };
  }

  const stream: ManagedStream = {
    sensorId,
    order: () => order,
    platform: () => platform,
    isOnline: () => watch.state() === 'online',
    facts: () => null,
    listen: users.listen,
    keep: users.keep,
    isKept: users.isKept,
    ordered(nextOrder, nextPlatform) {
      order = nextOrder;
      platform = nextPlatform;
      const refusal = order.refused ?? null;
      const key = order.on ? JSON.stringify([order.url, order.secret, order.senders]) : (refusal ?? '');
      if (key === wantedKey) return;
      wantedKey = key;
      trouble = refusal;
      keeper.want(order.on ? wanted() : null);
      if (watch.switched(order.on, nowMs())) became();
      else deps.onChange(stream);
    },
    tick() {
      meter.tick(nowMs());
      intake.measure();
      if (watch.tick(nowMs())) became();
    },
    described: () => ({
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
      video: null,
      klv: false,
      ais: intake.counts(),
      error: trouble,
    }),
    async close() {
      await keeper.close();
      users.tell((listener) => listener.lost?.());
    },
  };
  return stream;
}
