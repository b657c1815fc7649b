import { gunzipSync } from 'node:zlib';
import { createAisReader } from '@osprey/ais';

/** Bytes of a file that show whether it is AIS. */
const LOOKED_BYTES = 256 * 1024;
/** Longest line of a file of AIS that is read. */
export const AIS_LINE_BYTES_MAX = 64 * 1024;
const GZIP = [0x1f, 0x8b];

export const isGzip = (head: Uint8Array): boolean => head[0] === GZIP[0] && head[1] === GZIP[1];

/** Verdict on the beginning of a file: `ais` with a message in it, a dump of NMEA 2000, JSON of gpsd, or none of these. */
export function judgeAis(head: Uint8Array): 'ais' | 'nmea2000' | 'gpsd' | null {
  const text = isGzip(head) ? inflated(head) : head.subarray(0, LOOKED_BYTES);
  if (text === null) return null;
  let messages = 0;
  const reader = createAisReader({ onMessage: () => (messages += 1), maxLineBytes: AIS_LINE_BYTES_MAX });
  reader.push(text);
  // A last line needs no end.
  reader.end();
  if (messages > 0) return 'ais';
  const { nmea2000, gpsd } = reader.counts.faults;
  return nmea2000 > 0 ? 'nmea2000' : gpsd > 0 ? 'gpsd' : null;
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
