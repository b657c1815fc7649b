import { createLines } from '@osprey/ais';
import type { SourceSink } from '../parts.ts';

/** Cuts what comes over one connection into lines, and hands each on with the time of its last byte. */
export function lineSink(sink: SourceSink) {
  let tooLong = 0;
  const lines = createLines({
    onLine: (bytes, start, end) => sink.packets(bytes.subarray(start, end), Date.now() * 1000),
    onTooLong: () => {
      tooLong += 1;
    },
  });
  return {
    push: lines.push,
    /** A datagram ends a line. */
    datagram(bytes: Uint8Array): void {
      lines.push(bytes);
      lines.endLine();
    },
    /** Lines that were dropped for their length. */
    tooLong: () => tooLong,
  };
}
