/**
 * Maximum length of a receiver's line that is kept whole, in bytes. A sentence has 82 characters, joined ones up to
 * 300, a tag block 80.
 */
export const MAX_LINE_BYTES = 2048;

const LF = 10;
const CR = 13;

export type LinesOptions = {
  /** Maximum length of a line that is kept whole, in bytes. Default `MAX_LINE_BYTES`. */
  maxBytes?: number;
  /**
   * Called with a line without its line end, in [start, end) of a buffer that is reused, so copy what you keep. Empty
   * lines are omitted.
   *
   * @param offset position of the line, in bytes since the first push
   */
  onLine: (bytes: Uint8Array, start: number, end: number, offset: number) => void;
  /**
   * Called for each line that begins in a pushed buffer, before its end is searched for, so that a line parsed in one
   * pass is not scanned twice.
   *
   * @returns the start of the next line, or -1 to receive the line by `onLine`
   */
  takeLine?: (bytes: Uint8Array, start: number, offset: number) => number;
  /** Called when a line was dropped because of its length. */
  onTooLong?: (offset: number) => void;
};

export type Lines = {
  /** Adds the next bytes of a stream, split at any position. */
  push: (bytes: Uint8Array) => void;
  /** Ends the current line: the datagram or the file is complete. */
  endLine: () => void;
  /** Discards an incomplete line, for a new connection. */
  restart: () => void;
};

/** Splits a stream of bytes into lines that end with LF, CR or both. Memory is bounded for any input. */
export function createLines({ onLine, takeLine, onTooLong, maxBytes = MAX_LINE_BYTES }: LinesOptions): Lines {
  const retained = new Uint8Array(maxBytes);
  let retainedBytes = 0;
  let skipping = false;
  /** Number of bytes before those of the current push. */
  let before = 0;

  const tooLong = (offset: number) => {
    skipping = true;
    retainedBytes = 0;
    onTooLong?.(offset);
  };

  /** Completes a line whose start was retained. */
  const finish = (bytes: Uint8Array, end: number) => {
    if (skipping) {
      skipping = false;
      return;
    }
    const offset = before - retainedBytes;
    const length = retainedBytes + end;
    if (length > maxBytes) onTooLong?.(offset);
    else if (length > 0) {
      retained.set(bytes.subarray(0, end), retainedBytes);
      retainedBytes = 0;
      onLine(retained, 0, length, offset);
    }
    retainedBytes = 0;
  };

  const keep = (bytes: Uint8Array, start: number) => {
    const length = bytes.length - start;
    if (skipping || length === 0) return;
    if (retainedBytes + length > maxBytes) {
      tooLong(before + start - retainedBytes);
      return;
    }
    retained.set(bytes.subarray(start), retainedBytes);
    retainedBytes += length;
  };

  return {
    push(bytes) {
      const end = bytes.length;
      let start = 0;
      let i = 0;
      if (retainedBytes > 0 || skipping) {
        while (i < end && bytes[i] !== LF && bytes[i] !== CR) i++;
        if (i < end) finish(bytes, i);
        else keep(bytes, 0);
        start = ++i;
      }
      while (i < end) {
        if (i === start && takeLine !== undefined) {
          const next = takeLine(bytes, start, before + start);
          if (next > 0) {
            start = next;
            i = next;
            continue;
          }
        }
        const byte = bytes[i]!;
        if (byte > CR || (byte !== LF && byte !== CR)) {
          i++;
          continue;
        }
        if (i - start > maxBytes) onTooLong?.(before + start);
        else if (i > start) onLine(bytes, start, i, before + start);
        start = ++i;
      }
      if (start < end) keep(bytes, start);
      before += end;
    },
    endLine() {
      finish(retained, 0);
    },
    restart() {
      retainedBytes = 0;
      skipping = false;
    },
  };
}
