import { NotStored, type Storage } from './storage.ts';

/** Reads a small file from the storage; null if it does not exist. */
export async function fileBytes(storage: Pick<Storage, 'read'>, key: string): Promise<Buffer | null> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of storage.read(key) as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof NotStored) return null;
    throw error;
  }
}
