import { createLines } from '@osprey/ais';
import type { SourceSink } from '../components.ts';

/** Splits the bytes of one connection into lines, and passes each on with the arrival time of its last byte. */
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
    /** Processes one datagram; its end is also the end of a line. */
    datagram(bytes: Uint8Array): void {
      lines.push(bytes);
      lines.endLine();
    },
    /** Number of lines dropped because they were too long. */
    tooLong: () => tooLong,
  };
}
