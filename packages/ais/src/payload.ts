/**
 * Maximum length of a payload, in six-bit symbols. A message of five slots has 1,064 bits (ITU-R M.1371-5, Annex 2, §
 * 3.3.7); loggers that join parts add the fill bits of each.
 */
export const MAX_SYMBOLS = 256;

/**
 * Number of bits in a word, which holds five symbols. With 30 bits it is a small integer for the JavaScript engine, and
 * a field of up to 30 bits spans at most two words.
 */
const WORD_BITS = 30;
const SYMBOLS_A_WORD = 5;

/** Six-bit value of each character of the armour (IEC 61162-1, table of six-bit ASCII); -1 for all others. */
const ARMOUR = new Int8Array(256).fill(-1);
for (let value = 0; value < 64; value++) ARMOUR[value < 40 ? value + 48 : value + 56] = value;

/** Characters of the six-bit ASCII of ITU-R M.1371-5, Annex 8, table 47. */
const CHARACTERS = Array.from({ length: 64 }, (_, value) => String.fromCharCode(value < 32 ? value + 64 : value));

/** The bits of one message, most significant first. One instance is reused for all messages; it never grows. */
export class Payload {
  /** Words of 30 bits. Position reports, by far the most frequent messages, are read from them by shifts. */
  readonly words = new Int32Array(Math.ceil(MAX_SYMBOLS / SYMBOLS_A_WORD) + 2);
  #used = 0;
  /** Number of bits in the message, without fill bits. Reads beyond its end return zeros. */
  bits = 0;

  /**
   * Loads the payload of a sentence, or of several joined ones.
   *
   * @param fill number of fill bits in the last symbol, 0 to 5
   * @returns false if a character does not belong to the armour, or there are too many
   */
  load(bytes: Uint8Array, start: number, end: number, fill: number): boolean {
    if (end - start > MAX_SYMBOLS) return false;
    const words = this.words;
    let bad = 0;
    let word = 0;
    let i = start;
    for (const last = end - SYMBOLS_A_WORD; i <= last; i += SYMBOLS_A_WORD) {
      const a = ARMOUR[bytes[i]!]!;
      const b = ARMOUR[bytes[i + 1]!]!;
      const c = ARMOUR[bytes[i + 2]!]!;
      const d = ARMOUR[bytes[i + 3]!]!;
      const e = ARMOUR[bytes[i + 4]!]!;
      bad |= a | b | c | d | e;
      words[word++] = (a << 24) | (b << 18) | (c << 12) | (d << 6) | e;
    }
    if (i < end) {
      let value = 0;
      for (let shift = WORD_BITS - 6; i < end; i++, shift -= 6) {
        const symbol = ARMOUR[bytes[i]!]!;
        bad |= symbol;
        value |= symbol << shift;
      }
      words[word++] = value;
    }
    for (let rest = word; rest < this.#used; rest++) words[rest] = 0;
    this.#used = word;
    this.bits = Math.max(0, (end - start) * 6 - fill);
    return bad >= 0;
  }

  /** Reads an unsigned number of 1 to 30 bits. */
  uint(at: number, count: number): number {
    const word = (at / WORD_BITS) | 0;
    const left = WORD_BITS - (at - word * WORD_BITS) - count;
    const mask = count === WORD_BITS ? 0x3fffffff : (1 << count) - 1;
    const words = this.words;
    if (left >= 0) return (words[word]! >> left) & mask;
    return ((words[word]! << -left) | (words[word + 1]! >> (WORD_BITS + left))) & mask;
  }

  /** A number of 1 to 30 bits in two's complement. */
  int(at: number, count: number): number {
    return (this.uint(at, count) << (32 - count)) >> (32 - count);
  }

  flag(at: number): boolean {
    return this.uint(at, 1) === 1;
  }

  /** Reads a text of six-bit characters up to the first @, without trailing spaces; null if nothing remains. */
  text(at: number, characters: number): string | null {
    let length = 0;
    let retained = 0;
    for (; length < characters; length++) {
      const value = this.uint(at + length * 6, 6);
      if (value === 0) break;
      if (value !== 32) retained = length + 1;
    }
    if (retained === 0) return null;
    let text = '';
    for (let i = 0; i < retained; i++) text += CHARACTERS[this.uint(at + i * 6, 6)]!;
    return text;
  }

  /** Returns the bits from `at` to `end` in whole bytes, the last one padded with zeros. */
  bytes(at: number, end: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.ceil((end - at) / 8)));
    for (let i = 0; i < bytes.length; i++) {
      const left = end - at - i * 8;
      bytes[i] = left >= 8 ? this.uint(at + i * 8, 8) : this.uint(at + i * 8, left) << (8 - left);
    }
    return bytes;
  }
}
