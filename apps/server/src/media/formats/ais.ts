import { gunzipSync } from 'node:zlib';
import { createAisReader } from '@osprey/ais';

/** Number of bytes at the beginning of a file that are inspected for AIS. */
const INSPECTED_BYTES = 256 * 1024;
/** Maximum length of a line that is read in a file of AIS. */
export const AIS_LINE_BYTES_MAX = 64 * 1024;
const GZIP = [0x1f, 0x8b];

export const isGzip = (head: Uint8Array): boolean => head[0] === GZIP[0] && head[1] === GZIP[1];

/**
 * Judges the beginning of a file: `ais` if it contains an AIS message, a dump of NMEA 2000, JSON of gpsd, or none of
 * these.
 */
export function judgeAis(head: Uint8Array): 'ais' | 'nmea2000' | 'gpsd' | null {
  const text = isGzip(head) ? inflated(head) : head.subarray(0, INSPECTED_BYTES);
  if (text === null) return null;
  let messages = 0;
  const reader = createAisReader({ onMessage: () => (messages += 1), maxLineBytes: AIS_LINE_BYTES_MAX });
  reader.push(text);
  // The last line may lack a line end.
  reader.end();
  if (messages > 0) return 'ais';
  const { nmea2000, gpsd } = reader.counts.faults;
  return nmea2000 > 0 ? 'nmea2000' : gpsd > 0 ? 'gpsd' : null;
}

/** Unpacks the beginning of a gzip file, up to a limit, since a small file may expand enormously. */
function inflated(head: Uint8Array): Uint8Array | null {
  try {
    // The inspected bytes usually end in the middle of the file, which is no error.
    return gunzipSync(head.subarray(0, INSPECTED_BYTES / 8), { finishFlush: 2, maxOutputLength: 32 * INSPECTED_BYTES });
  } catch {
    return null;
  }
}
