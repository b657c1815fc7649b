import { BadFile } from './bad-file.ts';

/** Maximum length of a log line. A longer line ends the reading instead of filling the memory. */
export const LINE_MAX = 65_536;
/** Number of bytes at the start of a file within which an XML declaration must occur. */
const DECLARATION_BYTES = 256;
/** Code pages in which old programs write XML, as declared in its first line. */
const DECLARED =
  /^\s*<\?xml[^>]*\sencoding\s*=\s*["'](iso-8859-\d{1,2}|windows-125\d|us-ascii|shift_jis|gb18030|gbk|big5|euc-kr|euc-jp|koi8-r)["']/i;

/** Returns the encoding that a text declares by its byte order mark or XML declaration; null if it declares none. */
export function encodingNamedIn(head: Uint8Array): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const first = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, DECLARATION_BYTES)).toString(
    'latin1',
  );
  return DECLARED.exec(first)?.[1]?.toLowerCase() ?? null;
}

/** @throws BadFile if the file is not in its declared encoding, or in UTF-8 if it declares none */
export function decodeComplete(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingNamedIn(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadFile('its text is not written in UTF-8');
  }
}

/**
 * Decodes a text in pieces and drops its byte order mark. Uses the encoding that the text declares, else UTF-8, else
 * windows-1252, which contains Latin-1. A text that has contained valid non-ASCII UTF-8 is not switched to another
 * encoding.
 *
 * @throws TypeError for bytes that are not text
 */
export async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = createTextDecoder();
  for await (const bytes of source) {
    const text = decoder.push(bytes);
    if (text !== '') yield text;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

/** Decodes bytes as they are pushed, in the same way as `decoded`. */
export function createTextDecoder() {
  let head: Uint8Array | null = new Uint8Array();
  let decoder: TextDecoder | null = null;
  let isNamed = false;
  let isOld = false;
  /**
   * Bytes of an incomplete non-ASCII character at the end, kept until the encoding is certain. Null once the text has
   * contained non-ASCII characters.
   */
  let pending: Uint8Array | null = new Uint8Array();

  function begin(bytes: Uint8Array): TextDecoder {
    const named = encodingNamedIn(bytes);
    isNamed = named !== null;
    return new TextDecoder(named ?? 'utf-8', { fatal: true });
  }

  function decode(bytes: Uint8Array, stream: boolean): string {
    decoder ??= begin(bytes);
    if (isOld) return checked(decoder.decode(bytes, { stream }));
    if (isNamed || pending === null) return decoder.decode(bytes, { stream });
    const waiting = Buffer.concat([pending, bytes]);
    try {
      const text = decoder.decode(bytes, { stream });
      const start = waiting.findIndex((byte) => byte > 0x7f);
      pending = isBeyondAscii(text) ? null : waiting.subarray(start < 0 ? waiting.length : start);
      return text;
    } catch (error) {
      // A text that was UTF-8 so far does not go over to another encoding.
      if (/[^\0-\x7f\ufffd]/.test(new TextDecoder().decode(waiting))) throw error;
      isOld = true;
      decoder = new TextDecoder('windows-1252');
      return checked(decoder.decode(waiting, { stream }));
    }
  }

  return {
    push(bytes: Uint8Array): string {
      if (head === null) return decode(bytes, true);
      head = Buffer.concat([head, bytes]);
      if (head.byteLength < DECLARATION_BYTES) return '';
      const begun = head;
      head = null;
      return decode(begun, true);
    },
    end(): string {
      const begun = head ?? new Uint8Array();
      head = null;
      return decode(begun, false);
    },
  };
}

const isBeyondAscii = (text: string): boolean => /[^\0-\x7f]/.test(text);

/**
 * Rejects control characters that do not occur in text. Every byte is valid in windows-1252, so only these reveal bytes
 * that are not text.
 */
function checked(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
  if (/[\0-\x08\x0e-\x1a\x1c-\x1d]/.test(text)) throw new TypeError('It holds bytes that are no text');
  return text;
}

/** The lines of a text, without their ends: LF, CRLF or CR. @throws RangeError for one that is too long */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open = '';
  let isReturnLast = false;
  for await (const piece of pieces) {
    const rest = isReturnLast && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') isReturnLast = piece.endsWith('\r');
    const lines = (open + rest).split(/\r\n|\n|\r/);
    open = lines.pop() ?? '';
    if (open.length > LINE_MAX) throw new RangeError('A line is too long');
    yield* lines;
  }
  if (open !== '') yield open;
}
