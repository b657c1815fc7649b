import { BadFile } from './bad-file.ts';

/** Longest line of a log that is read; a longer one ends the reading instead of filling the memory. */
export const LINE_MAX = 65_536;
/** An XML declaration is within this many bytes. */
const DECLARATION_BYTES = 256;
/** Code pages that old programs write XML in, and say so in its first line. */
const DECLARED =
  /^\s*<\?xml[^>]*\sencoding\s*=\s*["'](iso-8859-\d{1,2}|windows-125\d|us-ascii|shift_jis|gb18030|gbk|big5|euc-kr|euc-jp|koi8-r)["']/i;

/** The encoding that a text names itself, by its byte order mark or its XML declaration; null for none. */
export function encodingNamedIn(head: Uint8Array): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const first = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, DECLARATION_BYTES)).toString(
    'latin1',
  );
  return DECLARED.exec(first)?.[1]?.toLowerCase() ?? null;
}

/** @throws BadFile where a whole file is not in the encoding that it names, or in UTF-8 */
export function decodeComplete(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingNamedIn(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadFile('its text is not written in UTF-8');
  }
}

/**
 * Text in pieces, its byte order mark dropped: in the encoding that it names, else in UTF-8, else in windows-1252, which
 * contains Latin-1. A text whose bytes were UTF-8 beyond ASCII does not change to another encoding.
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

/** Decodes bytes that are pushed, as `decoded` does. */
export function createTextDecoder() {
  let head: Uint8Array | null = new Uint8Array();
  let decoder: TextDecoder | null = null;
  let isNamed = false;
  let isOld = false;
  /** Null once the text has characters beyond ASCII; till then the bytes of one that is not whole yet. */
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

/** In windows-1252 every byte is a character: controls that no text holds show other bytes. */
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
