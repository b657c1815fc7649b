const FIRST_CAPACITY = 64;

/** Appends bytes; the buffer grows as needed. */
export class ByteWriter {
  #buffer = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns a copy of the bytes written so far. */
  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  bytes(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** Appends a big-endian integer of up to 8 bytes; negative numbers as two's complement. Exact up to 2^53. */
  integer(value: number, length: number): this {
    this.#reserve(length);
    let rest = value;
    for (let index = length - 1; index >= 0; index--) {
      const byte = ((rest % 256) + 256) % 256;
      this.#buffer[this.#length + index] = byte;
      rest = (rest - byte) / 256;
    }
    this.#length += length;
    return this;
  }

  /** Appends a BER length in its shortest form (SMPTE ST 336). */
  berLength(length: number): this {
    if (length < 0x80) return this.integer(length, 1);
    const size = byteCount(length);
    return this.integer(0x80 | size, 1).integer(length, size);
  }

  /** Appends a BER-OID integer: seven bits per byte. */
  berOid(value: number): this {
    const groups = [value % 128];
    for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 0x80);
    return this.bytes(Uint8Array.from(groups.reverse()));
  }

  /** Appends the length, then the bytes. */
  lengthAndBytes(bytes: Uint8Array): this {
    return this.berLength(bytes.length).bytes(bytes);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + more));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** Returns the number of bytes needed for an unsigned integer, at least 1. */
export function byteCount(value: number): number {
  let size = 1;
  for (let rest = Math.floor(value / 256); rest > 0; rest = Math.floor(rest / 256)) size++;
  return size;
}

/** Returns the number of bytes needed for a signed integer as two's complement, at least 1. */
export function signedByteCount(value: number): number {
  const magnitude = value < 0 ? -(value + 1) : value;
  return byteCount(magnitude * 2);
}
