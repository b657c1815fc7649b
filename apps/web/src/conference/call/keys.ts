/**
 * Secrets of a call, which are created and kept only in the browsers. Each join has its own P-256 key pair. The first
 * member of a room creates a passphrase of 256 bits, and encrypts it for each newcomer. Messages between two members
 * are encrypted with a key derived from both the passphrase and the shared secret of their two key pairs, so that
 * neither the server nor a relay can read or change them.
 */

const ECDH = { name: 'ECDH', namedCurve: 'P-256' } as const;
const PASSPHRASE_BYTES = 32;
const IV_BYTES = 12;
const PHRASE_WORDS = 6;
/** Number of PBKDF2 rounds for the phrase: a relay that tries keys until the words agree has this cost for each try. */
const PHRASE_ROUNDS = 300_000;
const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aiou';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export type Pair = {
  privateKey: CryptoKey;
  /** Public key: the uncompressed point in base64url. */
  publicKey: string;
};

/** 256 random bits in base64url, shared by all members of the room until a member leaves. */
export type Passphrase = string;

/**
 * The room, the sender and the recipient. They are authenticated with each message, so that it can be decrypted only
 * for the place it was encrypted for.
 */
export type Place = { room: string; from: string; to: string };

export async function makePair(): Promise<Pair> {
  const pair = (await crypto.subtle.generateKey(ECDH, false, ['deriveBits'])) as CryptoKeyPair;
  const point = await crypto.subtle.exportKey('raw', pair.publicKey);
  return { privateKey: pair.privateKey, publicKey: toText(new Uint8Array(point)) };
}

export const makePassphrase = (): Passphrase => toText(crypto.getRandomValues(new Uint8Array(PASSPHRASE_BYTES)));

/** Returns a secret that only the two members can know. @throws if the key is no point of the curve */
export async function sharedSecret({ privateKey }: Pair, publicKey: string): Promise<Uint8Array<ArrayBuffer>> {
  const other = await crypto.subtle.importKey('raw', fromText(publicKey), ECDH, false, []);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'ECDH', public: other }, privateKey, 256));
}

/** Returns a name for a passphrase that reveals nothing about it. */
export async function nameOfPassphrase(passphrase: Passphrase): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', encoder.encode(`osprey passphrase name ${passphrase}`));
  return toText(new Uint8Array(hash).subarray(0, 9));
}

/**
 * Derives the encryption key of two members. Without a passphrase, returns the key with which the passphrase is sent to
 * a newcomer.
 */
export async function sealingKey(
  shared: Uint8Array<ArrayBuffer>,
  room: string,
  passphrase: Passphrase | null,
): Promise<CryptoKey> {
  const secret = passphrase === null ? shared : joined(shared, fromText(passphrase));
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const info = encoder.encode(passphrase === null ? 'osprey passphrase' : 'osprey words');
  const hkdfParams = { name: 'HKDF', hash: 'SHA-256', salt: encoder.encode(room), info };
  return crypto.subtle.deriveKey(hkdfParams, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

export async function seal(key: CryptoKey, place: Place, message: unknown): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plain = encoder.encode(JSON.stringify(message));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bytesOf(place) }, key, plain);
  return toText(joined(iv, new Uint8Array(sealed)));
}

/** Decrypts a message. Null if it was encrypted with another key or for another place, or was changed on the way. */
export async function unseal(key: CryptoKey, place: Place, text: string): Promise<unknown> {
  try {
    const bytes = fromText(text);
    const iv = bytes.slice(0, IV_BYTES);
    const algorithm = { name: 'AES-GCM', iv, additionalData: bytesOf(place) };
    const plain = await crypto.subtle.decrypt(algorithm, key, bytes.slice(IV_BYTES));
    return JSON.parse(decoder.decode(plain)) as unknown;
  } catch {
    return null;
  }
}

/**
 * Returns six words derived from the public keys of all members. All members see the same words, unless someone between
 * them has replaced keys.
 */
export async function phraseOf(room: string, publicKeys: readonly string[]): Promise<string> {
  const all = encoder.encode([...publicKeys].sort().join(' '));
  const material = await crypto.subtle.importKey('raw', all, 'PBKDF2', false, ['deriveBits']);
  const how = {
    name: 'PBKDF2',
    hash: 'SHA-256',
    salt: encoder.encode(`osprey phrase ${room}`),
    iterations: PHRASE_ROUNDS,
  };
  const bits = new DataView(await crypto.subtle.deriveBits(how, material, PHRASE_WORDS * 16));
  return Array.from({ length: PHRASE_WORDS }, (_, at) => wordOf(bits.getUint16(at * 2))).join(' ');
}

/** Converts 16 bits to a word of five letters that can be pronounced in any language. */
function wordOf(bits: number): string {
  const consonant = (shift: number) => CONSONANTS[(bits >> shift) & 15] ?? '';
  const vowel = (shift: number) => VOWELS[(bits >> shift) & 3] ?? '';
  return consonant(12) + vowel(10) + consonant(6) + vowel(4) + consonant(0);
}

const bytesOf = ({ room, from, to }: Place) => encoder.encode(`${room} ${from} ${to}`);

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function toText(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Decodes base64url. @throws for any other text */
function fromText(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
