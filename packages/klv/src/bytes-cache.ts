/** Maximum length of a cached value, in bytes; comparing longer ones costs as much as decoding them. */
const CACHED_MAX = 512;

/**
 * Decodes consecutive values of one tag and returns the previous result if the bytes are unchanged, since names and
 * security markings hardly ever change within a recording.
 */
export class BytesCache<T> {
  readonly #make: (bytes: Uint8Array, start: number, end: number) => T;
  #bytes = new Uint8Array(0);
  #length = -1;
  #value: T | undefined;

  constructor(make: (bytes: Uint8Array, start: number, end: number) => T) {
    this.#make = make;
  }

  read(bytes: Uint8Array, start: number, end: number): T {
    if (this.#value !== undefined && this.#isSame(bytes, start, end - start)) return this.#value;
    const value = this.#make(bytes, start, end);
    // A fault returns null and is not cached, so that it is reported each time.
    if (value !== null) this.#keep(bytes, start, end, value);
    return value;
  }

  #isSame(bytes: Uint8Array, start: number, length: number): boolean {
    if (length !== this.#length) return false;
    const cached = this.#bytes;
    for (let index = 0; index < length; index++) if (cached[index] !== bytes[start + index]) return false;
    return true;
  }

  #keep(bytes: Uint8Array, start: number, end: number, value: T): void {
    const length = end - start;
    this.#length = length <= CACHED_MAX ? length : -1;
    if (this.#length < 0) return;
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(length);
    this.#bytes.set(bytes.subarray(start, end));
    this.#value = value;
  }
}
