import { hasAisSentence } from './ais-text.ts';
import { CELL_HEAD } from './metadata-cells.ts';
import { emptyPesHeader, readPesHeader } from './pes.ts';
import type { ElementaryStream } from './program-streams.ts';
import { isKlvStart } from './universal-label.ts';

type Options = {
  /**
   * Creates the reader that takes over at the first KLV packet; null if KLV would have been announced in the tables.
   */
  onKlv: (() => ElementaryStream) | null;
  /** Creates the reader that takes over at the first AIS sentence; null if the caller does not need AIS. */
  onText: (() => ElementaryStream) | null;
  onSound(): void;
};

/**
 * Detects the content of a stream whose PMT does not state it: KLV by the beginning of a PES packet, either bare or in
 * a metadata cell; AIS by a sentence; and sound of any coding by its stream id, 0xC0 to 0xDF (ISO/IEC 13818-1, table
 * 2-22).
 */
export function createContentProbe({ onKlv, onText, onSound }: Options): ElementaryStream {
  const header = emptyPesHeader();
  return {
    kind: 'other',
    read(bytes, start, end, packet) {
      if (!packet.unitStart || readPesHeader(bytes, start, end, header) !== 'whole') return false;
      const payload = start + header.headSize;
      const isSound = (header.streamId & 0xe0) === 0xc0;
      const isKlv = !isSound && (isKlvStart(bytes, payload, end) || isKlvStart(bytes, payload + CELL_HEAD, end));
      if (isKlv && onKlv) return onKlv().read(bytes, start, end, packet);
      if (onText && hasAisSentence(bytes, payload, end)) return onText().read(bytes, start, end, packet);
      if (isSound) onSound();
      return false;
    },
    end: () => {},
  };
}
