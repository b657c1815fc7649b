import { type Budget, createGrowingBuffer } from './growing-buffer.ts';
import { CELL_HEAD, createMetadataCells } from './metadata-cells.ts';
import { emptyPesHeader, readPesHeader } from './pes.ts';
import { KLV_LIMIT, type RawKlv } from './raw-klv.ts';
import type { StreamKind } from './types.ts';
import { endOfCompleteKlv, findKlvStart, isKlvStart } from './universal-label.ts';

/** Gathers the PES packets of one KLV stream and passes on their content. */
export type KlvStream = {
  /** Begins a PES packet with these bytes; `offset` is that of its transport packet. */
  begin(bytes: Uint8Array, start: number, end: number, offset: number): void;
  append(bytes: Uint8Array, start: number, end: number): void;
  /** Drops an incomplete PES packet, since transport packets are missing. */
  lose(): void;
  end(): void;
};

type Options = {
  kind: StreamKind;
  budget: Budget;
  onPayload(payload: RawKlv): void;
  onFault(kind: 'brokenPes' | 'brokenCells', offset: number): void;
};

/** Creates the reader of one stream. */
export function createKlvStream({ kind, budget, onPayload, onFault }: Options): KlvStream {
  const header = emptyPesHeader();
  const pes = createGrowingBuffer(KLV_LIMIT, budget);
  /** Bytes of a KLV packet that continues in the next PES packet. */
  const split = createGrowingBuffer(KLV_LIMIT, budget);
  const payload: RawKlv = { bytes: new Uint8Array(0), start: 0, end: 0, pts: -1, offset: 0, sync: false };
  const cells = createMetadataCells({ budget, onPayload, onFault });
  let open = false;
  let headRead = false;
  let offset = 0;
  let splitPts = -1;
  let splitOffset = 0;
  /** Start of the incomplete packet in `split`; packets before it need not be searched again. */
  let cutAt = 0;

  function begin(bytes: Uint8Array, start: number, end: number, at: number) {
    finish();
    pes.clear();
    open = true;
    headRead = false;
    offset = at;
    append(bytes, start, end);
  }

  function append(bytes: Uint8Array, start: number, end: number) {
    if (!open) return;
    const bounded = headRead && header.size > 0;
    const taken = bounded ? Math.min(end, start + header.size - pes.length()) : end;
    if (!pes.append(bytes, start, taken)) return breakOff();
    if (!headRead) readHead();
    if (open && headRead && header.size > 0 && pes.length() >= header.size) finish();
  }

  function readHead() {
    const state = readPesHeader(pes.bytes(), 0, pes.length(), header);
    if (state === 'broken') breakOff();
    headRead = state === 'whole';
  }

  function breakOff() {
    open = false;
    onFault('brokenPes', offset);
  }

  /** Delivers a complete PES packet; one without a stated length ends where the next begins. */
  function finish() {
    if (!open) return;
    if (!headRead || pes.length() < header.size) return breakOff();
    open = false;
    const end = header.size > 0 ? header.size : pes.length();
    if (end > header.headSize) readPayload(pes.bytes(), header.headSize, end);
  }

  /**
   * Distinguishes bare KLV from metadata cells by content rather than by what the tables announce, since real streams
   * mix the signalling of the two forms.
   */
  function readPayload(bytes: Uint8Array, start: number, end: number) {
    if (isKlvStart(bytes, start, end)) return readBare(bytes, start, end, start);
    if (split.length() > 0) return continueSplit(bytes, start, end);
    const from = { pts: header.pts, offset };
    if (cells.read(bytes, start, end, { ...from, strict: true })) return;
    // Packets with another key may precede the first KLV packet. In a metadata cell, however, the first KLV packet
    // comes directly after the cell's header.
    const first = findKlvStart(bytes, start, end);
    if (first >= 0 && (kind !== 'klvSync' || first !== start + CELL_HEAD)) return readBare(bytes, start, end, first);
    if (kind !== 'klvSync' || !cells.read(bytes, start, end, { ...from, strict: false })) onFault('brokenPes', offset);
  }

  /** Reads bare KLV; `first` is the start of the first packet with a universal label. */
  function readBare(bytes: Uint8Array, start: number, end: number, first: number) {
    deliverSplit();
    const complete = endOfCompleteKlv(bytes, first, end);
    if (complete === end) return deliver(bytes, start, end, header.pts, offset);
    cutAt = complete - start;
    splitPts = header.pts;
    splitOffset = offset;
    if (!split.append(bytes, start, end)) onFault('brokenPes', offset);
  }

  function continueSplit(bytes: Uint8Array, start: number, end: number) {
    if (!split.append(bytes, start, end)) {
      split.clear();
      onFault('brokenPes', splitOffset);
      return;
    }
    cutAt = endOfCompleteKlv(split.bytes(), cutAt, split.length());
    if (cutAt === split.length()) deliverSplit();
  }

  /** Delivers a split packet even if it is incomplete; the KLV reader then reports the fault. */
  function deliverSplit() {
    if (split.length() === 0) return;
    deliver(split.bytes(), 0, split.length(), splitPts, splitOffset);
    split.clear();
  }

  function deliver(bytes: Uint8Array, start: number, end: number, pts: number, at: number) {
    payload.bytes = bytes;
    payload.start = start;
    payload.end = end;
    payload.pts = pts;
    payload.offset = at;
    onPayload(payload);
  }

  function lose() {
    if (open) breakOff();
    if (split.length() > 0) onFault('brokenPes', splitOffset);
    split.clear();
    cells.lose();
  }

  function end() {
    finish();
    deliverSplit();
    cells.lose();
    pes.clear();
  }

  return { begin, append, lose, end };
}
