import { encodingNamedIn } from '../../base/formats/text.ts';

/** Number of bytes inspected after the first non-ASCII byte to guess the encoding. */
const LOOK_BYTES = 64 * 1024;

/** Control characters that no office text holds; windows-1252 gives them for its unused bytes too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const CONTROL = /[\0-\x08\x0e-\x1f\x7f-\x9f]/;

/**
 * Text of a file if it is one: in the encoding that it names by its byte order mark or its XML declaration, UTF-8 without
 * NUL, or else windows-1252 without control bytes, which old programs write without a mark. Null for anything else.
 *
 * @param head its beginning
 * @param whole true when `head` is all of it
 */
export function readText(head: Uint8Array, complete: boolean): { text: string; encoding: string } | null {
  const encoding = encodingOf(head, complete);
  const text = decoded(head, encoding, complete);
  if (text === null || (encoding === 'utf-8' ? text.includes('\0') : CONTROL.test(text))) return null;
  return { text, encoding };
}

/**
 * The beginning of a file that is known to be a text, without its byte order mark. Invalid bytes become U+FFFD; a
 * character that the end cuts is left out.
 *
 * @param whole true when `bytes` are all of it
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
  const look = bytes.subarray(start, start + LOOK_BYTES);
  const isUtf8 = decoded(look, 'utf-8', complete && start + look.length === bytes.length) !== null;
  return isUtf8 ? 'utf-8' : 'windows-1252';
}

/** Null if the bytes are not valid in this encoding. */
function decoded(bytes: Uint8Array, encoding: string, complete: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !complete });
  } catch {
    return null;
  }
}
