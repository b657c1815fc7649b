import { createSt0601Reader, decodePacket, readUniversalKey } from '@osprey/klv';
import { createMarkReader } from '../../media/index/stream-mark.ts';

/**
 * Watches the security marks in the KLV of one stream. Calls `onMark` for each rank that is higher than all previous
 * ones.
 */
export function markWatch(onMark: (rank: number) => void) {
  const reader = createSt0601Reader();
  const marks = createMarkReader({ onMark });

  function readSt0601(bytes: Uint8Array): void {
    const record = reader.read(bytes, 0, bytes.length);
    if (record.checksum === 'bad') return;
    for (const item of record.nested) marks.item(item, bytes);
    for (const item of record.older) marks.item(item, bytes);
  }

  function readOther(bytes: Uint8Array, standard: string): void {
    const packet = decodePacket(bytes, 0, bytes.length);
    if (packet.checksum !== 'bad') marks.values(standard === 'st0102' ? packet.values : packet.values['48']);
  }

  return {
    /** Reads one KLV packet; a malformed packet is ignored. */
    read(bytes: Uint8Array): void {
      const standard = readUniversalKey(bytes, 0);
      if (standard === null) return;
      try {
        if (standard === 'st0601') readSt0601(bytes);
        else readOther(bytes, standard);
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'FormatError') throw error;
      }
    },
  };
}
