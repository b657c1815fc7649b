import { createHash, type Hash } from 'node:crypto';
import type { Append } from '../base/storage/storage.ts';

/** Received bytes are synced after GROUP_BYTES bytes or GROUP_MS milliseconds, whichever comes first. */
const GROUP_BYTES = 8 * 1024 * 1024;
const GROUP_MS = 250;
/** Buffer size for the bytes of a socket, so that a file of gigabytes is not written in a million small writes. */
const BUFFER_BYTES = 1024 * 1024;

export type Receiving = {
  source: AsyncIterable<Uint8Array>;
  file: Append;
  /** Running hash of the file; null if its beginning was hashed by a process that has since ended. */
  hash: Hash | null;
  /** Maximum size of the file; a sender of more bytes is disconnected. */
  maxBytes: number;
  /** Called after each sync with the number of bytes that survive a power cut. */
  durable: (sizeBytes: number) => Promise<void>;
};

export class TooManyBytes extends Error {
  override name = 'TooManyBytes';
}

/**
 * Writes the bytes of a client to the disk, for every kind of upload: appends and hashes them, and syncs every 8 MiB or
 * 250 ms, in constant memory. Even if the connection is lost, all bytes received before are durable when the promise
 * settles.
 */
export async function receive({ source, file, hash, maxBytes, durable }: Receiving): Promise<void> {
  const gathered = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let filled = 0;
  let syncedSize = file.sizeBytes();
  let syncedAt = performance.now();

  async function write(bytes: Uint8Array): Promise<void> {
    await file.write(bytes);
    hash?.update(bytes);
  }

  async function flush(): Promise<void> {
    if (filled === 0) return;
    const bytes = gathered.subarray(0, filled);
    filled = 0;
    await write(bytes);
  }

  async function settle(): Promise<void> {
    await flush();
    if (file.sizeBytes() === syncedSize) return;
    await file.sync();
    syncedSize = file.sizeBytes();
    syncedAt = performance.now();
    await durable(syncedSize);
  }

  async function append(bytes: Uint8Array): Promise<void> {
    if (filled + bytes.byteLength > BUFFER_BYTES) await flush();
    if (bytes.byteLength > BUFFER_BYTES) return write(bytes);
    gathered.set(bytes, filled);
    filled += bytes.byteLength;
  }

  try {
    for await (const bytes of source) {
      if (file.sizeBytes() + filled + bytes.byteLength > maxBytes) throw new TooManyBytes('More bytes than announced');
      await append(bytes);
      const unsynced = file.sizeBytes() + filled - syncedSize;
      if (unsynced >= GROUP_BYTES || performance.now() - syncedAt >= GROUP_MS) await settle();
    }
  } finally {
    await settle();
  }
}

/** Returns the SHA-256 of a stored file, used when not all of its bytes passed through this process. */
export async function hashOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of source) hash.update(bytes);
  return hash.digest('hex');
}
