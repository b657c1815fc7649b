import { gunzipSync } from 'node:zlib';
import { createAisReader } from '@osprey/ais';

/** Bytes of a file that show whether it is AIS. */
const LOOKED_BYTES = 256 * 1024;
const GZIP = [0x1f, 0x8b];

export const isGzip = (head: Uint8Array): boolean => head[0] === GZIP[0] && head[1] === GZIP[1];

/** Verdict on the beginning of a file: `ais` with a message in it, a dump of NMEA 2000, or neither. */
export function judgeAis(head: Uint8Array): 'ais' | 'nmea2000' | null {
  const text = isGzip(head) ? inflated(head) : head.subarray(0, LOOKED_BYTES);
  if (text === null) return null;
  let messages = 0;
  const reader = createAisReader({ onMessage: () => (messages += 1) });
  reader.push(text);
  if (messages > 0) return 'ais';
  return reader.counts.faults.nmea2000 > 0 ? 'nmea2000' : null;
}

/** The beginning of what is packed, however much it would become: at most so much is unpacked. */
function inflated(head: Uint8Array): Uint8Array | null {
  try {
    // The inspected bytes end somewhere within the archive, which is no fault.
    return gunzipSync(head.subarray(0, LOOKED_BYTES / 8), { finishFlush: 2, maxOutputLength: 32 * LOOKED_BYTES });
  } catch {
    return null;
  }
}
