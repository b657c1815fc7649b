import { PACKET_SIZE } from '@osprey/mpegts';
import type { Storage } from '../../base/storage/storage.ts';

const SYNC_BYTE = 0x47;
const LF = 0x0a;
/**
 * Number of bytes searched backwards from the end of the file for a packet: a power cut may have left zeros instead of
 * data after the synced bytes.
 */
const LOOK_BACK_BYTES = 64 * 1024 * 1024;
const STEP_BYTES = PACKET_SIZE * 1024;

export type Mended = { sizeBytes: number; modifiedMs: number };

/**
 * Truncates a file that was left open to the end of its last complete packet. Returns null if the file holds no packet;
 * the file is then removed.
 *
 * A power cut may leave a file longer than its data, with zeros at the end; these do not count as packets.
 */
export async function mendFile(storage: Storage, key: string): Promise<Mended | null> {
  return mend(storage, key, completeBytes);
}

/**
 * Truncates a file of lines that was left open to the end of its last complete line, as `mendFile` does for packets.
 */
export async function mendLines(storage: Storage, key: string): Promise<Mended | null> {
  return mend(storage, key, completeLines);
}

async function mend(
  storage: Storage,
  key: string,
  completeLength: (storage: Storage, key: string) => Promise<number>,
): Promise<Mended | null> {
  const found = await storage.stat(key);
  if (found === null) return null;
  const sizeBytes = await completeLength(storage, key);
  if (sizeBytes === 0) {
    await storage.remove(key);
    return null;
  }
  if (sizeBytes < found.sizeBytes) {
    const file = await storage.append(key);
    try {
      await file.truncate(sizeBytes);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  return { sizeBytes, modifiedMs: found.modifiedMs };
}

/** Returns the file size up to the end of the last packet that begins with a sync byte. */
async function completeBytes(storage: Storage, key: string): Promise<number> {
  const file = await storage.open(key);
  try {
    const buffer = new Uint8Array(STEP_BYTES);
    let end = file.sizeBytes - (file.sizeBytes % PACKET_SIZE);
    const minimum = Math.max(0, end - LOOK_BACK_BYTES);
    while (end > minimum) {
      const start = Math.max(0, end - STEP_BYTES);
      await file.read(buffer.subarray(0, end - start), start);
      for (let at = end - start - PACKET_SIZE; at >= 0; at -= PACKET_SIZE) {
        if (buffer[at] === SYNC_BYTE) return start + at + PACKET_SIZE;
      }
      end = start;
    }
    return end;
  } finally {
    await file.close();
  }
}

/** Returns the file size up to the end of the last line, excluding zeros after it. */
async function completeLines(storage: Storage, key: string): Promise<number> {
  const file = await storage.open(key);
  try {
    const buffer = new Uint8Array(STEP_BYTES);
    const minimum = Math.max(0, file.sizeBytes - LOOK_BACK_BYTES);
    for (let end = file.sizeBytes; end > minimum; ) {
      const start = Math.max(minimum, end - STEP_BYTES);
      const found = buffer.subarray(0, end - start);
      await file.read(found, start);
      const at = found.lastIndexOf(LF);
      if (at >= 0) return start + at + 1;
      end = start;
    }
    return minimum;
  } finally {
    await file.close();
  }
}
