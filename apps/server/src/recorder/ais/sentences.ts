const BANG = 0x21;
const STAR = 0x2a;
const BACKSLASH = 0x5c;

/** Verdict on the AIS sentence of a line, after tag blocks and times. */
export type Seen = 'good' | 'checksum' | 'none';

/** Whether a line holds a sentence that begins with `!`, and whether the checksum of the first one is right where it has one. */
export function sentenceIn(line: Uint8Array): Seen {
  const start = line.indexOf(BANG, line[0] === BACKSLASH ? line.lastIndexOf(BACKSLASH) : 0);
  if (start < 0) return 'none';
  let sum = 0;
  let at = start + 1;
  for (; at < line.length && line[at] !== STAR; at += 1) sum ^= line[at]!;
  if (at + 2 >= line.length) return 'good';
  const stated = Number.parseInt(String.fromCharCode(line[at + 1]!, line[at + 2]!), 16);
  return stated === sum ? 'good' : 'checksum';
}
