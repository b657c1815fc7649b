import { randomBytes } from 'node:crypto';
import { makeState } from '../storage/state-file.ts';

const SECRET_BYTES = 32;

/**
 * Returns the random key stored in a file of mode 0600. Creates the file if it does not exist.
 *
 * @throws Error naming the file if it contains anything other than 32 random bytes in hex
 */
export async function secretFile(path: string): Promise<Buffer> {
  const existing = (await makeState(path, randomBytes(SECRET_BYTES).toString('hex'))).trim();
  const bytes = /^[0-9a-f]{64}$/.test(existing) ? Buffer.from(existing, 'hex') : Buffer.alloc(0);
  // A key with few different byte values was typed as an example, not generated.
  if (new Set(bytes).size < SECRET_BYTES / 2) {
    throw new Error(`${path} is no random key: remove it and the server makes a new one`);
  }
  return bytes;
}
