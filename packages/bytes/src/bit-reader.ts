import { FormatError } from './format-error.ts';

/**
 * Reads bits, most significant first, from [start, end) of a buffer, which is not copied.
 *
 * Every read that would pass the end throws FormatError.
 */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #endBit: number;
  #bit: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#bit = start * 8;
    this.#endBit = Math.min(end, bytes.length) * 8;
  }

  /** Number of bits not yet read. */
  get left(): number {
    return this.#endBit - this.#bit;
  }

  /** Reads an unsigned number of 0 to 32 bits. */
  bits(count: number): number {
    if (count > this.left) throw new FormatError('Bits missing', this.#bit >> 3);
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 2 + this.#next();
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  skip(count: number) {
    if (count > this.left) throw new FormatError('Bits missing', this.#bit >> 3);
    this.#bit += count;
  }

  /** Unsigned Exp-Golomb code, ue(v) of ITU-T H.264 9.1: 0 to 2^32 - 2. */
  ue(): number {
    let zeros = 0;
    while (!this.flag()) {
      zeros++;
      if (zeros > 31) throw new FormatError('Exp-Golomb code longer than 32 bits', this.#bit >> 3);
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** Signed Exp-Golomb code, se(v) of ITU-T H.264 9.1.1. */
  se(): number {
    const code = this.ue();
    return code % 2 === 1 ? (code + 1) / 2 : 0 - code / 2;
  }

  #next(): number {
    const value = (this.#bytes[this.#bit >> 3]! >> (7 - (this.#bit & 7))) & 1;
    this.#bit++;
    return value;
  }
}
