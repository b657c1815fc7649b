import { sha256 } from '@noble/hashes/sha2.js';
import { BLOCK_BYTES } from './manifest.ts';

type Running = { update: (bytes: Uint8Array) => unknown; digest: () => Uint8Array };

/** SHA-256 by any implementation available to the verifying program. */
export type Hashing = {
  /**
   * Starts a hash over bytes that are added piece by piece. Omitted where that is slow: the hashes of its blocks
   * already verify a file, and that of the whole file only repeats them.
   */
  begin?: () => Running;
  /** Hashes bytes held in memory. */
  of: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
};

/** SHA-256 in plain JavaScript, for any runtime. */
export const plainHashing: Required<Hashing> = { begin: () => sha256.create(), of: (bytes) => sha256(bytes) };

/** Returns the fastest SHA-256 of a browser: Web Crypto if available, which cannot hash a file piece by piece. */
export function fastestHashing(subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle): Hashing {
  if (subtle === undefined) return { of: plainHashing.of };
  return { of: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)) };
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export type Hashed = { sizeBytes: number; sha256: string; blocks: string[] };

/** Hashes a file while its bytes are streamed, in pieces of any length. */
export function fileHasher(hashing: Required<Hashing>) {
  const whole = hashing.begin();
  const blocks: string[] = [];
  let sizeBytes = 0;
  let block = hashing.begin();
  let inBlock = 0;

  function update(bytes: Uint8Array): void {
    whole.update(bytes);
    sizeBytes += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = Math.min(bytes.length - at, BLOCK_BYTES - inBlock);
      block.update(bytes.subarray(at, at + taken));
      at += taken;
      inBlock += taken;
      if (inBlock === BLOCK_BYTES) endBlock();
    }
  }

  function endBlock(): void {
    blocks.push(hex(block.digest()));
    block = hashing.begin();
    inBlock = 0;
  }

  return {
    update,
    end(): Hashed {
      if (inBlock > 0) endBlock();
      return { sizeBytes, sha256: hex(whole.digest()), blocks };
    },
  };
}
