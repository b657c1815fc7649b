/** Numbers that are the same in each run with the same seed (xorshift). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Some bytes changed, cut out or repeated. */
export function mutated(source: Uint8Array, random: (below: number) => number): Uint8Array {
  let bytes: Uint8Array = source.slice();
  for (let edits = 1 + random(8); edits > 0 && bytes.length > 1; edits -= 1) {
    const at = random(bytes.length);
    const kind = random(4);
    if (kind === 0) bytes[at] = random(256);
    if (kind === 1) bytes[at]! ^= 1 << random(8);
    if (kind === 2) bytes = joined(bytes.subarray(0, at), bytes.subarray(at + random(200)));
    if (kind === 3) bytes = joined(bytes.subarray(0, at), bytes.subarray(random(at + 1)));
  }
  return bytes;
}

/** Not spread into a list: that took two fifths of the time that is meant for the readers. */
export const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
