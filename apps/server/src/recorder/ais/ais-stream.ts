import { STAMP_BYTES } from '../../recorder-wire/ais-files.ts';
import {
  type FirstOrder,
  type ManagedStream,
  managedStream,
  type StreamContent,
  type StreamDeps,
  type StreamHost,
} from '../stream/managed-stream.ts';
import { streamWatch } from '../stream/stream-watch.ts';
import { sentenceReader } from './sentence-reader.ts';

/** Number of lines without a sentence, before the first sentence, after which the operator is notified. */
const JUNK_REPORTED = 20;
/**
 * Silence after which the stream counts as lost, in milliseconds. In quiet waters minutes may pass between two
 * sentences.
 */
const SILENT_MS = 60_000;
/** Time after switching on during which the state is unknown if nothing is received, in milliseconds. */
const UNKNOWN_MS = 2000;
const NO_AIS = 'Data arrive, but they are not AIS sentences (NMEA 0183, !AIVDM)';

/**
 * An AIS source: reads lines, and passes them with a time stamp to its listeners. There is no video and no program, so
 * only the listeners' `packets` and `lost` are called.
 */
export function aisStream(first: FirstOrder, deps: StreamDeps): ManagedStream {
  const watch = streamWatch({ lostMs: SILENT_MS, unknownMs: UNKNOWN_MS });
  return managedStream(first, deps, watch, (host) => aisContent(host, deps));
}

function aisContent(host: StreamHost, deps: StreamDeps): StreamContent {
  const { notify } = host;
  const sentenceLines = sentenceReader({ nowMs: deps.nowMs, onLine: receive, onJunk: junk });
  const isOnline = () => host.watch.state() === 'online';

  function receive(bytes: Uint8Array): void {
    host.meter.add(bytes.length - STAMP_BYTES - 1, 1);
    const { lastUs } = sentenceLines.counts();
    notify((listener) => listener.packets(bytes, lastUs ?? deps.nowUs()));
    host.onData(true);
  }

  function junk(): void {
    const { sentences, otherLines } = sentenceLines.counts();
    if (sentences === 0 && otherLines === JUNK_REPORTED) host.problem(NO_AIS);
  }

  return {
    name: 'AIS source',
    open: deps.openAis,
    /** Processes one line without its line end. */
    receive: sentenceLines.line,
    isOnline,
    facts: () => null,
    became() {
      host.started(isOnline());
      if (isOnline()) host.solved(NO_AIS);
      else notify((listener) => listener.lost?.());
    },
    tick: sentenceLines.measure,
    described: () => ({ video: null, klv: false, ais: sentenceLines.counts() }),
    close: () => notify((listener) => listener.lost?.()),
  };
}
