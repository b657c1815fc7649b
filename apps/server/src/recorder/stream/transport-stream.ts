import { isBrowserPlayable, isSound, PACKET_SIZE } from '@osprey/mpegts';
import { aisLines } from '../../media/index/stream-ais.ts';
import type { SourceState } from '../../recorder-wire/protocol.ts';
import { sentenceReader } from '../ais/sentence-reader.ts';
import type { StreamFacts } from '../components.ts';
import {
  type FirstOrder,
  type ManagedStream,
  managedStream,
  type StreamContent,
  type StreamDeps,
  type StreamHost,
} from './managed-stream.ts';
import { markWatch } from './mark-watch.ts';
import { type Pipeline, type PipelineOut, pipeline } from './pipeline.ts';
import { streamWatch } from './stream-watch.ts';

/**
 * Program maps arrive several times a second; a stream without a program map for this time is reported to have no
 * program.
 */
const PROGRAM_MS = 3000;
const NO_PROGRAM = 'Packets arrive, but no program is among them';
const SOUND_ALONE = 'The stream is sound alone: neither pictures nor telemetry are in it';
const NOT_READ = 'The stream cannot be read: the log of the recorder says why';
const isKlv = ({ kind }: { kind: string }): boolean => kind === 'klvAsync' || kind === 'klvSync';

/** Creates a stream of MPEG-2 transport packets with pictures, KLV and AIS. */
export function transportStream(first: FirstOrder, deps: StreamDeps): ManagedStream {
  return managedStream(first, deps, streamWatch(), (host) => programContent(host, deps));
}

function programContent(host: StreamHost, deps: StreamDeps): StreamContent {
  const { nowMs } = deps;
  const { notify } = host;
  const ais = sentenceReader({ nowMs, onLine: (line) => notify((listener) => listener.ais?.(line)) });
  let reader: Pipeline | null = null;
  let marks: ReturnType<typeof markWatch> | null = null;
  let isOnline = false;
  /** Arrival time of the first packets of a stream in which no program has been found yet; null: no such stream. */
  let readingMs: number | null = null;
  let isWithoutProgram = false;
  let detected = '';

  function receive(bytes: Uint8Array, arrivalUs: number): void {
    host.meter.add(bytes.length, bytes.length / PACKET_SIZE);
    reader ??= newReader();
    reader.push(bytes, arrivalUs);
    if (!host.onData(isOnline) && isOnline) detect();
  }

  function newReader(): Pipeline {
    readingMs = nowMs();
    marks = markWatch((rank) => deps.onMark(host.stream(), rank));
    let arrived = 0;
    const lines = aisLines((line) => ais.line(line, arrived));
    const out: PipelineOut = {
      online() {
        isOnline = true;
        readingMs = null;
        isWithoutProgram = false;
        host.started(true);
      },
      unit: (unit, facts) => notify((listener) => listener.unit(unit, facts)),
      packets: (bytes, arrivalUs) => notify((listener) => listener.packets(bytes, arrivalUs)),
      klv(klv) {
        marks?.read(klv.bytes);
        deps.onKlv(host.order().sensorId, klv);
        notify((listener) => listener.klv?.(klv));
      },
      // Security marks count in every KLV stream, even in one that is not shown.
      otherKlv: (packet) => marks?.read(packet),
      text(payload, arrivalUs) {
        arrived = arrivalUs;
        lines(payload);
      },
      changed: (facts) => notify((listener) => listener.changed?.(facts)),
    };
    return pipeline(out, host.order().klvPid ?? null);
  }

  function endStream(): void {
    reader?.flush();
    reader = null;
    marks = null;
    readingMs = null;
    host.started(false);
    if (!isOnline) return;
    isOnline = false;
    notify((listener) => listener.lost?.());
  }

  function detect(): void {
    const now = detection();
    if (now === detected) return;
    detected = now;
    host.changed();
  }

  /**
   * Facts from which `detected` was derived. They are compared after each piece, which is cheap as long as nothing
   * changes.
   */
  let detectedFrom: StreamFacts | null = null;
  function detection(): string {
    const facts = reader?.facts() ?? null;
    if (facts !== null && detectedFrom !== null) {
      if (facts.video === detectedFrom.video && facts.program === detectedFrom.program) return detected;
    }
    detectedFrom = facts;
    return JSON.stringify([videoOf(facts), facts?.program.streams.some(isKlv), isSoundAlone(facts)]);
  }

  return {
    name: 'stream',
    open: deps.open,
    receive,
    isOnline: () => isOnline,
    facts: () => (isOnline ? (reader?.facts() ?? null) : null),
    ordered: ({ klvPid }) => reader?.wantKlv(klvPid ?? null),
    switched() {
      isWithoutProgram = false;
    },
    became() {
      // A stream that was never online is not ended, since its program may still be found.
      if (host.watch.state() !== 'online' && (isOnline || !host.order().on)) endStream();
      detected = detection();
    },
    failed() {
      // The state of the reader may be wrong after an error, so the reader is discarded.
      endStream();
      host.problem(NOT_READ);
    },
    tick() {
      ais.measure();
      if (readingMs === null || isWithoutProgram || nowMs() - readingMs < PROGRAM_MS) return;
      isWithoutProgram = true;
      host.changed();
    },
    described() {
      const facts = reader?.facts() ?? null;
      const klvStreams = reader?.klvStreams() ?? null;
      return {
        video: isOnline ? videoOf(facts) : null,
        klv: isOnline && (reader?.hasKlv() ?? false),
        ...(isOnline && klvStreams && { klvStreams }),
        ...(ais.counts().sentences > 0 && { ais: ais.counts() }),
        error: isWithoutProgram ? NO_PROGRAM : isOnline && isSoundAlone(facts) ? SOUND_ALONE : null,
      };
    },
    close() {
      if (isOnline) endStream();
    },
  };
}

/**
 * Whether the program has only sound. Private data of any kind does not count as sound only, since it may turn out to
 * be KLV.
 */
function isSoundAlone(facts: StreamFacts | null): boolean {
  const streams = facts?.program.streams ?? [];
  return streams.length > 0 && streams.every(({ kind }) => isSound(kind));
}

function videoOf(facts: StreamFacts | null): SourceState['video'] {
  if (!facts?.video) return null;
  const { codec, width, height, frameRate, hasBFrames } = facts.video;
  return { codec, width, height, frameRate, hasBFrames, browserPlayable: isBrowserPlayable(facts.video) };
}
