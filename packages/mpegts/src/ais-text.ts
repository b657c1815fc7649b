import { emptyPesHeader, readPesHeader } from './pes.ts';
import type { ElementaryStream } from './program-streams.ts';
import type { DemuxHandlers, TextPayload } from './types.ts';

const BANG = 0x21;
const COMMA = 0x2c;
const [V, D, M, O] = [0x56, 0x44, 0x4d, 0x4f];
const isUpper = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x41 && byte <= 0x5a;

/**
 * Whether an AIS sentence begins in [start, end): `!`, a two-letter talker, VDM or VDO, and a comma (IEC 61162-1). Tag
 * blocks and times that loggers write before a sentence are skipped.
 */
export function hasAisSentence(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = bytes.indexOf(BANG, start); at >= 0 && at + 6 < end; at = bytes.indexOf(BANG, at + 1)) {
    const isTalker = isUpper(bytes[at + 1]) && isUpper(bytes[at + 2]);
    const last = bytes[at + 5];
    const isFormatter = bytes[at + 3] === V && bytes[at + 4] === D && (last === M || last === O);
    if (isTalker && isFormatter && bytes[at + 6] === COMMA) return true;
  }
  return false;
}

/**
 * Creates a reader that passes on the payload of each packet of a text stream as it arrives; a line may be split across
 * packets.
 */
export function createTextReader(pid: number, programNumber: number, handlers: DemuxHandlers): ElementaryStream {
  const header = emptyPesHeader();
  const payload: TextPayload = { pid, programNumber, bytes: new Uint8Array(), start: 0, end: 0, lost: false };
  /** Number of bytes of the PES packet still to come; stuffing after them is not text. */
  let left = 0;
  return {
    kind: 'other',
    read(bytes, start, end, packet) {
      let from = start;
      if (packet.unitStart) {
        if (readPesHeader(bytes, start, end, header) !== 'whole') return true;
        from = start + header.headSize;
        left = header.size === 0 ? Number.POSITIVE_INFINITY : header.size - header.headSize;
      }
      const to = Math.min(end, from + left);
      left -= to - from;
      if (to <= from) return true;
      payload.bytes = bytes;
      payload.start = from;
      payload.end = to;
      payload.lost = packet.lost;
      handlers.text?.(payload);
      return true;
    },
    end: () => {},
  };
}
