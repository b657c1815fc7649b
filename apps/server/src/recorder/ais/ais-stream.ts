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

/** Lines without a sentence, received before the first sentence, after which the operator is notified. */
const JUNK_REPORTED = 20;
/** In quiet waters minutes may pass between two sentences; a receiver that hears nothing for so long is worth a look. */
const SILENT_MS = 60_000;
/** A source that was switched on and has heard nothing yet. */
const UNKNOWN_MS = 2000;
const NO_AIS = 'Data arrive, but they are not AIS sentences (NMEA 0183, !AIVDM)';

/**
 * A source of AIS: lines in, stamped lines out to its listeners. There are no pictures and no programs, so listeners
 * get `packets` and `lost` alone.
 */
export function aisStream(first: FirstOrder, deps: StreamDeps): ManagedStream {
  const watch = streamWatch({ lostMs: SILENT_MS, unknownMs: UNKNOWN_MS });
  return managedStream(first, deps, watch, (host) => aisContent(host, deps));
}

function aisContent(host: StreamHost, deps: StreamDeps): StreamContent {
  const { notify } = host;
  const sentenceLines = sentenceReader({ nowMs: deps.nowMs, onLine: take, onJunk: junk });
  const isOnline = () => host.watch.state() === 'online';

  function take(bytes: Uint8Array): void {
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
    /** One line without its end. */
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
