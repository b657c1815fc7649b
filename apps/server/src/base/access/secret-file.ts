import { randomBytes } from 'node:crypto';
import { makeState } from '../storage/state-file.ts';

const SECRET_BYTES = 32;

/**
 * The random key in a file of mode 0600, made when there is none.
 *
 * @throws Error naming the file when it holds anything else than 32 random bytes in hex
 */
export async function secretFile(path: string): Promise<Buffer> {
  const existing = (await makeState(path, randomBytes(SECRET_BYTES).toString('hex'))).trim();
  const bytes = /^[0-9a-f]{64}$/.test(existing) ? Buffer.from(existing, 'hex') : Buffer.alloc(0);
  // A key of few different bytes is an example, not a key.
  if (new Set(bytes).size < SECRET_BYTES / 2) {
    throw new Error(`${path} is no random key: remove it and the server makes a new one`);
  }
  return bytes;
}
