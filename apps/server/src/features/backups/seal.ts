import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Magic number: "OSPB" and the version of the format. */
const MAGIC = Buffer.from([0x4f, 0x53, 0x50, 0x42, 1]);
const SALT_BYTES = 32;
const HEADER_BYTES = MAGIC.length + SALT_BYTES;
const CHUNK_BYTES = 1024 * 1024;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const CIPHER = 'aes-256-gcm';

/** A file of a backup was altered, is truncated, or was encrypted with another key. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
}

/**
 * Encrypts and authenticates a stream in chunks of 1 MiB (AES-256-GCM, NIST SP 800-38D). Each file has a random salt
 * and therefore its own key. The nonce contains the chunk's number and whether it is the last one, so that chunks can
 * neither be swapped nor cut off. `purpose` names the file, so that a file put in the place of another cannot be
 * decrypted.
 */
export async function* seal(key: Buffer, purpose: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const fileKey = keyFor(key, salt, purpose);
  yield Buffer.concat([MAGIC, salt]);
  let number = 0;
  for await (const { bytes, last } of pieces(source, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, fileKey, nonceOf(number, last));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

/** Decrypts a sealed stream. @throws BackupDamaged */
export async function* unseal(key: Buffer, purpose: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let fileKey: Buffer | null = null;
  let number = 0;
  for await (const { bytes, last } of pieces(source, CHUNK_BYTES + TAG_BYTES, HEADER_BYTES)) {
    if (fileKey === null) {
      if (bytes.length !== HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC) || last) throw damaged();
      fileKey = keyFor(key, bytes.subarray(MAGIC.length), purpose);
      continue;
    }
    if (bytes.length < TAG_BYTES) throw damaged();
    const body = bytes.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, fileKey, nonceOf(number, last));
    decipher.setAuthTag(bytes.subarray(body));
    try {
      yield Buffer.concat([decipher.update(bytes.subarray(0, body)), decipher.final()]);
    } catch {
      throw damaged();
    }
    number += 1;
  }
}

/** Size of a sealed file whose content has `bytes` bytes. */
export const sealedBytes = (bytes: number): number =>
  HEADER_BYTES + bytes + TAG_BYTES * Math.max(1, Math.ceil(bytes / CHUNK_BYTES));

/** Returns the name of content in a backup: a keyed hash, which reveals nothing without the key. */
export const contentName = (key: Buffer, sha256: string): string =>
  createHmac('sha256', keyFor(key, Buffer.alloc(0), 'content names'))
    .update(sha256)
    .digest('hex');

/** Returns an identifier of a key that does not reveal the key. */
export const backupKeyId = (key: Buffer): string =>
  createHmac('sha256', keyFor(key, Buffer.alloc(0), 'key id'))
    .update('')
    .digest('hex')
    .slice(0, 16);

const damaged = () => new BackupDamaged('A file of the backup is damaged, or was made with another key.');

const keyFor = (key: Buffer, salt: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `osprey backup 1: ${purpose}`, KEY_BYTES));

function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce[0] = last ? 1 : 0;
  nonce.writeBigUInt64BE(BigInt(number), NONCE_BYTES - 8);
  return nonce;
}

/**
 * Splits a stream into pieces of equal size; the last one may be shorter. An empty stream yields one empty piece.
 * `first` is the size of the first piece.
 */
async function* pieces(source: AsyncIterable<Uint8Array>, size: number, first = size) {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let requested = first;
  for await (const bytes of source) {
    waiting.push(bytes);
    length += bytes.byteLength;
    // One further byte must have arrived to know that a piece is not the last.
    while (length > requested) {
      const whole = Buffer.concat(waiting);
      yield { bytes: whole.subarray(0, requested), last: false };
      const rest = whole.subarray(requested);
      waiting = [rest];
      length = rest.length;
      requested = size;
    }
  }
  yield { bytes: Buffer.concat(waiting), last: true };
}
