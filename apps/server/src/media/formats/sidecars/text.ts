/** No line of a sidecar is longer; a longer one ends the reading instead of filling the memory. */
export const LINE_MAX = 65_536;

/** UTF-8 text in pieces, its byte order mark dropped. @throws TypeError for bytes that are not UTF-8 */
export async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const bytes of source) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** The lines of a text, without their ends. @throws RangeError for one that is too long */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open = '';
  for await (const piece of pieces) {
    const lines = (open + piece).split('\n');
    open = lines.pop() ?? '';
    if (open.length > LINE_MAX) throw new RangeError('A line is too long');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (open !== '') yield open;
}

/** A number as people write it; null for an empty cell, words, and what is not finite. */
export function numberOf(text: string | undefined): number | null {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}
