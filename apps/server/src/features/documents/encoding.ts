import { encodingNamedIn } from '../../base/formats/text.ts';

/** Number of bytes inspected after the first non-ASCII byte to guess the encoding. */
const INSPECTED_BYTES = 64 * 1024;

/** Control characters that do not occur in office texts. Decoding windows-1252 yields them for its unused bytes too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const CONTROL = /[\0-\x08\x0e-\x1f\x7f-\x9f]/;

/**
 * Returns the text of a file, or null if the file is no text. The encoding is the one named by its byte order mark or
 * its XML declaration, else UTF-8 without NUL, else windows-1252 without control bytes, which old programs write
 * without a mark.
 *
 * @param head the beginning of the file
 * @param complete true if `head` is the whole file
 */
export function readText(head: Uint8Array, complete: boolean): { text: string; encoding: string } | null {
  const encoding = encodingOf(head, complete);
  const text = decoded(head, encoding, complete);
  if (text === null || (encoding === 'utf-8' ? text.includes('\0') : CONTROL.test(text))) return null;
  return { text, encoding };
}

/**
 * Decodes the beginning of a file that is known to be text, without its byte order mark. Invalid bytes become U+FFFD.
 * An incomplete character at the end is left out.
 *
 * @param complete true if `bytes` are the whole file
 */
export const decodeText = (bytes: Uint8Array, complete: boolean): string =>
  new TextDecoder(encodingOf(bytes, complete)).decode(bytes, { stream: !complete });

function encodingOf(bytes: Uint8Array, complete: boolean): string {
  const named = encodingNamedIn(bytes);
  if (named !== null) return named;
  const start = Math.max(
    0,
    bytes.findIndex((byte) => byte > 0x7f),
  );
  const sample = bytes.subarray(start, start + INSPECTED_BYTES);
  const isUtf8 = decoded(sample, 'utf-8', complete && start + sample.length === bytes.length) !== null;
  return isUtf8 ? 'utf-8' : 'windows-1252';
}

/** Decodes the bytes; null if they are not valid in this encoding. */
function decoded(bytes: Uint8Array, encoding: string, complete: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !complete });
  } catch {
    return null;
  }
}
