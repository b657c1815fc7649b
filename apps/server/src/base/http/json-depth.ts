const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Maximum nesting of arrays and objects; no call of this API needs more than ten levels. */
export const JSON_DEPTH_MAX = 64;

/**
 * Measures the nesting of arrays and objects in a JSON text, byte by byte as it arrives. Brackets inside strings do not
 * count.
 */
export function jsonDepth() {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  return {
    /** Whether the text is within the limit so far. */
    accepts(bytes: Uint8Array): boolean {
      for (const byte of bytes) {
        if (isEscaped) isEscaped = false;
        else if (inString) {
          if (byte === QUOTE) inString = false;
          else if (byte === BACKSLASH) isEscaped = true;
        } else if (byte === QUOTE) inString = true;
        else if (byte === 0x5b || byte === 0x7b) {
          depth += 1;
          if (depth > JSON_DEPTH_MAX) return false;
        } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
      }
      return true;
    },
  };
}
