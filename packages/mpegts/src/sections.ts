/**
 * Maximum size of a private PSI section, in bytes. Other sections have 3 bytes of header and a section_length of at
 * most 1021 (ISO/IEC 13818-1, 2.4.4).
 */
const SECTION_LIMIT = 4096;

/** Called with a complete section in [start, end); the bytes are valid only during the call. */
export type OnSection = (bytes: Uint8Array, start: number, end: number) => void;

/** Joins packet payloads of one PID into sections. */
export type SectionReader = {
  /** Reads one payload. `isStart` is payload_unit_start_indicator; `lost` means that packets before it are missing. */
  read(bytes: Uint8Array, start: number, end: number, isStart: boolean, lost: boolean): void;
};

/** Creates a reader; truncated or overlong sections are silently skipped. */
export function createSectionReader(onSection: OnSection): SectionReader {
  let buffer: Uint8Array | null = null;
  let length = 0;
  let open = false;

  function read(bytes: Uint8Array, start: number, end: number, isStart: boolean, lost: boolean) {
    if (lost) open = false;
    if (!isStart) {
      if (open) append(bytes, start, end);
      return;
    }
    // The pointer field states where the first new section begins; the bytes before that belong to the previous
    // section.
    const first = start + 1 + (bytes[start] ?? 0);
    if (start >= end || first > end) {
      open = false;
      return;
    }
    if (open) append(bytes, start + 1, first);
    open = false;
    readNew(bytes, first, end);
  }

  /** Reads consecutive sections that begin at `at`, until stuffing (0xFF) or the end. */
  function readNew(bytes: Uint8Array, from: number, end: number) {
    let at = from;
    while (at < end && bytes[at] !== 0xff) {
      const complete = at + 3 <= end ? at + sectionSize(bytes, at) : end + 1;
      if (complete > end) {
        open = true;
        length = 0;
        append(bytes, at, end);
        return;
      }
      onSection(bytes, at, complete);
      at = complete;
    }
  }

  function append(bytes: Uint8Array, start: number, end: number) {
    buffer ??= new Uint8Array(SECTION_LIMIT);
    const taken = Math.min(end - start, SECTION_LIMIT - length);
    buffer.set(bytes.subarray(start, start + taken), length);
    length += taken;
    if (length < 3) return;
    const size = sectionSize(buffer, 0);
    if (size > SECTION_LIMIT) {
      open = false;
      return;
    }
    if (length < size) return;
    open = false;
    onSection(buffer, 0, size);
    // Other sections may follow one that ended in this payload.
    const rest = end - (length - size);
    if (rest < end && taken === end - start) readNew(bytes, rest, end);
  }

  return { read };
}

function sectionSize(bytes: Uint8Array, at: number): number {
  return 3 + (((bytes[at + 1]! & 0x0f) << 8) | bytes[at + 2]!);
}
