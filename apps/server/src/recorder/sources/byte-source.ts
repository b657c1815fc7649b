import type { Readable } from 'node:stream';
import { setTimeout as rest } from 'node:timers/promises';
import type { OpenedSource, SourceSink } from '../components.ts';
import { continuityMeter } from './continuity.ts';
import { lossyAligner } from './lossy-aligner.ts';
import { packetAligner } from './packet-aligner.ts';
import { rateLimit } from './rate-limit.ts';

/**
 * Number of bytes without a transport packet after which the operator is notified that the source sends no transport
 * stream.
 */
const JUNK_REPORTED = 64 * 1024;
/** Pause in reading a sender that exceeds the rate limit. */
const HOLD_MS = 20;
/** Time without bytes after which waiting packets are released. */
const SILENT_MS = 100;
const NO_STREAM = 'Bytes arrive, but they are not an MPEG transport stream';

export type ByteSource = {
  readable: Readable;
  /** True if bytes may be missing within the stream, because the network loses them and no protocol resends them. */
  isLossy?: boolean;
  /** Returns a message for the operator when the source has ended without being stopped; null: no fault. */
  whyEnded(error: unknown): string | null | Promise<string>;
  /** Stops the sender, and waits until it has ended. */
  stop(): void | Promise<void>;
};

/** Reads a transport stream from a byte stream, which comes from a connection or a program. */
export function readBytes({ readable, isLossy = false, whyEnded, stop }: ByteSource, sink: SourceSink): OpenedSource {
  const continuity = continuityMeter();
  const limit = rateLimit();
  let isClosed = false;
  let isJunkReported = false;
  let hasPackets = false;
  const lossy = isLossy ? lossyAligner(receive) : null;
  const aligner = lossy ?? packetAligner(receive);
  const silence = lossy && setTimeout(lossy.settle, SILENT_MS);

  function receive(packets: Uint8Array): void {
    hasPackets = true;
    continuity.read(packets, performance.now());
    sink.packets(packets, Date.now() * 1000);
  }

  function push(bytes: Buffer): void {
    aligner.push(bytes);
    silence?.refresh();
    if (hasPackets || isJunkReported || aligner.skipped() < JUNK_REPORTED) return;
    isJunkReported = true;
    sink.problem(NO_STREAM);
  }

  /** Reads bytes. Returns false if reading failed; no more bytes may be read then. */
  function isRead(bytes: Buffer): boolean {
    try {
      push(bytes);
      return true;
    } catch (error) {
      if (silence !== null) clearTimeout(silence);
      sink.failed(error);
      return false;
    }
  }

  async function run(): Promise<void> {
    let failure: unknown = null;
    try {
      for await (const bytes of readable as AsyncIterable<Buffer>) {
        if (!isRead(bytes)) return;
        // No bytes are dropped above the rate limit: reading pauses, which makes the sender wait.
        while (!isClosed && !limit.accepts(bytes.length, performance.now())) await rest(HOLD_MS);
      }
    } catch (error) {
      failure = error;
    }
    if (silence !== null) clearTimeout(silence);
    lossy?.settle();
    const why = isClosed ? null : await whyEnded(failure);
    if (why !== null) sink.problem(why);
  }

  const ended = run();
  return {
    counts: () => ({ lost: continuity.lost(), reordered: 0, refused: 0, jitterMs: null }),
    ended,
    async close() {
      isClosed = true;
      readable.destroy();
      await stop();
      await ended;
    },
  };
}
