import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeState, putState } from '../storage/state-file.ts';

const PRIVATE_FILE = 'signing.pem';
const PUBLIC_END = '.pub.pem';

/** Ed25519 key pair; `id` is the beginning of the SHA-256 of the public key. */
export type SigningKey = { id: string; privateKey: KeyObject };

/** Public keys by id: the current signing key and all earlier ones. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

/**
 * Returns the key that signs checkpoints and creates it if there is none. The private key is stored with mode 0600. The
 * public key is stored next to it under its id and is kept when another key replaces it.
 *
 * @throws Error naming the file if it contains no Ed25519 key
 */
export async function signingKey(folder: string): Promise<SigningKey> {
  const path = join(folder, PRIVATE_FILE);
  const fresh = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const pem = await makeState(path, fresh.toString());
  const privateKey = ed25519(path, () => createPrivateKey(pem));
  const publicKey = createPublicKey(privateKey);
  const id = keyId(publicKey);
  await putState(join(folder, `${id}${PUBLIC_END}`), publicKey.export({ type: 'spki', format: 'pem' }).toString());
  return { id, privateKey };
}

/** Reads all public keys in a directory; empty if it does not exist. */
export async function publicKeysOf(folder: string): Promise<PublicKeys> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const keys = await Promise.all(
    names
      .filter((name) => name.endsWith(PUBLIC_END))
      .map(async (name) => publicKey(join(folder, name), await readFile(join(folder, name), 'utf8'))),
  );
  return new Map(keys.map((key) => [keyId(key), key]));
}

/** @throws Error naming the source if it is not an Ed25519 key */
export const publicKey = (source: string, pem: string): KeyObject => ed25519(source, () => createPublicKey(pem));

/** Returns the id of a key: the first 16 characters of its fingerprint. */
export const keyId = (key: KeyObject): string => keyFingerprint(key).slice(0, 16);

/** Returns the SHA-256 of the public key (SubjectPublicKeyInfo, DER) in hex, which people compare by eye. */
export const keyFingerprint = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');

function ed25519(source: string, read: () => KeyObject): KeyObject {
  const fault = new Error(`${source} is no Ed25519 key in PEM`);
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    fault.cause = error;
  }
  throw fault;
}
