import { CELL_HEAD } from './metadata-cells.ts';
import { emptyPesHeader, readPesHeader } from './pes.ts';
import type { ElementaryStream } from './program-streams.ts';
import { isKlvStart } from './universal-label.ts';

/**
 * Watches a stream whose map does not name its content, until a PES packet begins with KLV, bare or in a cell;
 * `onKlv` then gives the reader that takes over with that packet.
 */
export function createKlvProbe(onKlv: () => ElementaryStream): ElementaryStream {
  const header = emptyPesHeader();
  return {
    kind: 'other',
    read(bytes, start, end, packet) {
      if (!packet.unitStart || readPesHeader(bytes, start, end, header) !== 'whole') return false;
      const payload = start + header.headSize;
      if (!isKlvStart(bytes, payload, end) && !isKlvStart(bytes, payload + CELL_HEAD, end)) return false;
      return onKlv().read(bytes, start, end, packet);
    },
    end: () => {},
  };
}
