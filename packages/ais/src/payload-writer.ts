/** Returns the value of a character in the six-bit ASCII of ITU-R M.1371-5, Annex 8, table 47; null for others. */
function sixBit(code: number): number | null {
  if (code >= 64 && code < 96) return code - 64;
  return code >= 32 && code < 64 ? code : null;
}

/** Collects the bits of one message, most significant first, and returns them in the armour of IEC 61162-1. */
export class PayloadWriter {
  readonly #bits: number[] = [];

  get length(): number {
    return this.#bits.length;
  }

  /**
   * Writes an unsigned number.
   *
   * @throws RangeError that names the field, if the value does not fit
   */
  uint(name: string, count: number, value: number) {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** count) {
      throw new RangeError(`${name} ${value} does not fit into ${count} bits`);
    }
    for (let bit = count - 1; bit >= 0; bit--) this.#bits.push(Math.floor(value / 2 ** bit) % 2);
  }

  int(name: string, count: number, value: number) {
    const half = 2 ** (count - 1);
    if (!Number.isInteger(value) || value < -half || value >= half) {
      throw new RangeError(`${name} ${value} does not fit into ${count} bits`);
    }
    this.uint(name, count, value < 0 ? value + 2 * half : value);
  }

  flag(value: boolean) {
    this.#bits.push(value ? 1 : 0);
  }

  zeros(count: number) {
    for (let i = 0; i < count; i++) this.#bits.push(0);
  }

  /** Writes a text, padded with @. Null is written as a text of @ only. */
  text(name: string, characters: number, text: string | null) {
    const codes = [...(text ?? '')].map((character) => sixBit(character.charCodeAt(0)));
    if (codes.length > characters || codes.includes(null)) {
      throw new RangeError(`${name} is no text of up to ${characters} six-bit characters`);
    }
    for (let i = 0; i < characters; i++) this.uint(name, 6, codes[i] ?? 0);
  }

  bytes(name: string, bytes: Uint8Array, count: number) {
    if (count > bytes.length * 8) throw new RangeError(`${name} has fewer than ${count} bits`);
    for (let i = 0; i < count; i++) this.#bits.push((bytes[i >> 3]! >> (7 - (i & 7))) & 1);
  }

  /** Returns the armoured characters, and the number of fill bits in the last one. */
  armour(): { payload: string; fill: number } {
    let payload = '';
    for (let i = 0; i < this.#bits.length; i += 6) {
      let value = 0;
      for (let bit = 0; bit < 6; bit++) value = value * 2 + (this.#bits[i + bit] ?? 0);
      payload += String.fromCharCode(value < 40 ? value + 48 : value + 56);
    }
    return { payload, fill: (6 - (this.#bits.length % 6)) % 6 };
  }
}
