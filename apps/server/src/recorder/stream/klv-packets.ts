import { packets } from '@osprey/klv';
import type { KlvPayload } from '@osprey/mpegts';

/** Returns the KLV packets of one payload, as copies that the caller may keep. */
export function klvPackets({ bytes, start, end }: KlvPayload): Uint8Array[] {
  return Array.from(packets(bytes, start, end), (found) => bytes.slice(found.start, found.end));
}
