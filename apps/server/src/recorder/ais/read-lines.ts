import type { Readable } from 'node:stream';
import type { OpenedSource, SourceSink } from '../components.ts';
import { lineSink } from './line-sink.ts';

/** Reads lines from a byte stream until it ends. */
export function readLines(readable: Readable, whyEnded: string, sink: SourceSink): OpenedSource {
  const lines = lineSink(sink);
  let isClosed = false;
  const ended = new Promise<void>((resolve) => {
    readable.once('close', () => {
      if (!isClosed) sink.problem(whyEnded);
      resolve();
    });
  });
  readable.on('error', () => readable.destroy());
  readable.on('end', () => readable.destroy());
  readable.on('data', (bytes: Buffer) => lines.push(bytes));
  sink.problem(null);
  return {
    counts: () => ({ lost: 0, reordered: 0, refused: lines.tooLong(), jitterMs: null }),
    ended,
    async close() {
      isClosed = true;
      readable.destroy();
      await ended;
    },
  };
}
