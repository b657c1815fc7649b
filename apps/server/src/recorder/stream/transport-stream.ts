import { isBrowserPlayable, PACKET_SIZE } from '@osprey/mpegts';
import type { Logger } from 'pino';
import { aisLines } from '../../media/index/stream-ais.ts';
import type { LiveKlv } from '../../recorder-wire/media-frames.ts';
import type { PlatformOrder, SourceOrder, SourceState } from '../../recorder-wire/protocol.ts';
import { sentenceIntake } from '../ais/sentence-intake.ts';
import type { Reading } from '../crashes/reading.ts';
import type { LiveStream, OpenSource, StreamFacts } from '../parts.ts';
import { markWatch } from './mark-watch.ts';
import { type Pipeline, type PipelineOut, pipeline } from './pipeline.ts';
import { sourceKeeper } from './source-keeper.ts';
import { streamMeter } from './stream-meter.ts';
import { streamUsers } from './stream-users.ts';
import { streamWatch } from './stream-watch.ts';

/** Program maps come several times a second; where none came for so long, there is none. */
const PROGRAM_MS = 3000;
const NO_PROGRAM = 'Packets arrive, but no program is among them';
const NOT_READ = 'The stream cannot be read: the log of the recorder says why';
const isKlv = ({ kind }: { kind: string }): boolean => kind === 'klvAsync' || kind === 'klvSync';

/** One stream as its keeper sees it. */
export type ManagedStream = LiveStream & {
  /** Other orders, or the same again. */
  ordered(order: SourceOrder, platform: PlatformOrder): void;
  /** Ten times a second. */
  tick(): void;
  described(): SourceState;
  isKept(): boolean;
  close(): Promise<void>;
};

export type StreamDeps = {
  open: OpenSource;
  /** The same for sources of AIS: what they hand on are lines. */
  openAis: OpenSource;
  reading: Pick<Reading, 'of'>;
  /** The address with its passwords. */
  address(order: SourceOrder): string;
  /** The state or the format of the stream changed: reported at once. */
  onChange(stream: ManagedStream): void;
  onKlv(sensorId: string, klv: LiveKlv): void;
  onMark(stream: ManagedStream, rank: number): void;
  /** An error of ours kept the bytes of a sensor from being read. */
  onFailed(error: unknown): void;
  /** The platform is gone and the last user has left. */
  onReleased(): void;
  log: Logger;
  nowUs(): number;
  nowMs(): number;
};

export function managedStream(first: { order: SourceOrder; platform: PlatformOrder }, deps: StreamDeps): ManagedStream {
  const { nowMs, nowUs } = deps;
  let { order, platform } = first;
  const sensorId = order.sensorId;
  const log = deps.log.child({ sensorId });
  const users = streamUsers({ log, onReleased: deps.onReleased });
  const watch = streamWatch();
  const meter = streamMeter();
  const keeper = sourceKeeper({
    sink: { packets: receive, problem, reading: (read) => deps.reading.of(sensorId, read), failed },
    log,
  });
  const ais = sentenceIntake({ nowMs, onLine: (line) => users.tell((listener) => listener.ais?.(line)) });
  let reader: Pipeline | null = null;
  let marks: ReturnType<typeof markWatch> | null = null;
  let wantedKey = '';
  let isOnline = false;
  let since = nowUs();
  let startedUs: number | null = null;
  let trouble: string | null = null;
  /** When the first packets came of a stream that has no program yet. */
  let readingMs: number | null = null;
  let isWithoutProgram = false;
  let detected = '';

  function receive(bytes: Uint8Array, arrivalUs: number): void {
    // Remaining packets of a source that is being closed.
    if (!order.on) return;
    meter.add(bytes.length, bytes.length / PACKET_SIZE);
    reader ??= newReader();
    reader.push(bytes, arrivalUs);
    if (watch.heard(isOnline, nowMs())) became();
    else if (isOnline) detect();
  }

  function newReader(): Pipeline {
    readingMs = nowMs();
    marks = markWatch((rank) => deps.onMark(stream, rank));
    let arrived = 0;
    const lines = aisLines((line) => ais.line(line, arrived));
    const out: PipelineOut = {
      online() {
        isOnline = true;
        readingMs = null;
        isWithoutProgram = false;
        startedUs = nowUs();
      },
      unit: (unit, facts) => users.tell((listener) => listener.unit(unit, facts)),
      packets: (bytes, arrivalUs) => users.tell((listener) => listener.packets(bytes, arrivalUs)),
      klv(klv) {
        marks?.read(klv.bytes);
        deps.onKlv(sensorId, klv);
        users.tell((listener) => listener.klv?.(klv));
      },
      // A security mark counts in any stream.
      otherKlv: (packet) => marks?.read(packet),
      text(payload, arrivalUs) {
        arrived = arrivalUs;
        lines(payload);
      },
      changed: (facts) => users.tell((listener) => listener.changed?.(facts)),
    };
    return pipeline(out, order.klvPid ?? null);
  }

  function became(): void {
    since = nowUs();
    // One that was never there may still be about to show its program.
    if (watch.state() !== 'online' && (isOnline || !order.on)) endStream();
    log.info({ state: watch.state() }, 'stream');
    detected = detection();
    deps.onChange(stream);
  }

  function endStream(): void {
    reader?.flush();
    reader = null;
    marks = null;
    readingMs = null;
    startedUs = null;
    if (!isOnline) return;
    isOnline = false;
    users.tell((listener) => listener.lost?.());
  }

  function detect(): void {
    const now = detection();
    if (now === detected) return;
    detected = now;
    deps.onChange(stream);
  }

  /** Compared after each piece of a stream: cheap as long as nothing changed. */
  let detectedFrom: StreamFacts | null = null;
  function detection(): string {
    const facts = reader?.facts() ?? null;
    if (facts !== null && detectedFrom !== null) {
      if (facts.video === detectedFrom.video && facts.program === detectedFrom.program) return detected;
    }
    detectedFrom = facts;
    return JSON.stringify([videoOf(facts), facts?.program.streams.some(isKlv)]);
  }

  function problem(text: string | null): void {
    if (text === trouble) return;
    trouble = text;
    if (text !== null) log.warn({ text }, 'source');
    deps.onChange(stream);
  }

  function failed(error: unknown): void {
    // The state of the reader may be wrong.
    endStream();
    problem(NOT_READ);
    deps.onFailed(error);
  }

  function ordered(nextOrder: SourceOrder, nextPlatform: PlatformOrder): void {
    order = nextOrder;
    platform = nextPlatform;
    reader?.wantKlv(order.klvPid ?? null);
    const isOn = order.on;
    const refusal = order.refused ?? null;
    const key = isOn ? JSON.stringify([order.url, order.secret, order.senders]) : (refusal ?? '');
    if (key === wantedKey) return;
    wantedKey = key;
    trouble = refusal;
    isWithoutProgram = false;
    keeper.want(isOn ? wanted() : null);
    if (watch.switched(isOn, nowMs())) became();
    else deps.onChange(stream);
  }

  function wanted() {
    // Opened again each time: only that shows whether the passwords fit.
    const open: OpenSource = (source, sink) => deps.open({ ...source, url: deps.address(order) }, sink);
    return { open, url: order.url, senders: order.senders };
  }

  const stream: ManagedStream = {
    sensorId,
    order: () => order,
    platform: () => platform,
    isOnline: () => isOnline,
    facts: () => (isOnline ? (reader?.facts() ?? null) : null),
    listen: users.listen,
    keep: users.keep,
    isKept: users.isKept,
    ordered,
    tick() {
      meter.tick(nowMs());
      ais.measure();
      if (watch.tick(nowMs())) became();
      if (readingMs === null || isWithoutProgram || nowMs() - readingMs < PROGRAM_MS) return;
      isWithoutProgram = true;
      deps.onChange(stream);
    },
    described: () => {
      const facts = reader?.facts() ?? null;
      const klvStreams = reader?.klvStreams() ?? null;
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
        video: isOnline ? videoOf(facts) : null,
        klv: isOnline && (reader?.hasKlv() ?? false),
        ...(isOnline && klvStreams && { klvStreams }),
        ...(ais.counts().sentences > 0 && { ais: ais.counts() }),
        error: trouble ?? (isWithoutProgram ? NO_PROGRAM : null),
      };
    },
    async close() {
      await keeper.close();
      if (isOnline) endStream();
    },
  };
  return stream;
}

function videoOf(facts: StreamFacts | null): SourceState['video'] {
  if (!facts?.video) return null;
  const { codec, width, height, frameRate, hasBFrames } = facts.video;
  return { codec, width, height, frameRate, hasBFrames, browserPlayable: isBrowserPlayable(facts.video) };
}
