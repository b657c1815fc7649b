import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { decodeToken, type LicencePayload, licencePayload } from '@osprey/contract';

/** The only accepted algorithm. `none`, HMAC and all others that a header may name are refused. */
const ALGORITHM = 'EdDSA';
const TYPE = 'osprey-licence';
const KEY_ID_CHARACTERS = 16;

/** Public keys by their id. */
export type LicenceKeys = ReadonlyMap<string, KeyObject>;

/** Thrown if a token is refused; the message is a sentence that gives the reason. */
export class LicenceRefused extends Error {
  override name = 'LicenceRefused';
}

/** Computes the id of a key: the beginning of the SHA-256 of its public half (SPKI, DER). */
export function keyIdOf(key: KeyObject): string {
  const spki = (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('hex').slice(0, KEY_ID_CHARACTERS);
}

/** Reads the public or the private half of a key. @throws LicenceRefused if the text is not an Ed25519 key in PEM */
export function readKey(pem: string, half: 'public' | 'private'): KeyObject {
  try {
    const key = half === 'public' ? createPublicKey(pem) : createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The error is thrown below.
  }
  throw new LicenceRefused(`This is no ${half} Ed25519 key in PEM.`);
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a licence as three base64url parts: header, payload, and a signature over these two (RFC 7515, RFC 8037). */
export function signLicence(payload: LicencePayload, privateKey: KeyObject): string {
  const header = { alg: ALGORITHM, typ: TYPE, kid: keyIdOf(privateKey) };
  const signed = `${part(header)}.${part(licencePayload.parse(payload))}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

/**
 * Returns the content of a token whose signature is valid for one of the site's keys. The caller has to check node and
 * expiry.
 *
 * @throws LicenceRefused
 */
export function readToken(token: string, keys: LicenceKeys): LicencePayload {
  const trimmed = token.trim();
  const { header, payload } = decoded(trimmed);
  const { alg, typ, kid } = (header ?? {}) as { alg?: unknown; typ?: unknown; kid?: unknown };
  if (alg !== ALGORITHM || typ !== TYPE) throw new LicenceRefused('It is not a licence of this product.');
  const key = typeof kid === 'string' ? keys.get(kid) : undefined;
  if (key === undefined) throw new LicenceRefused('Its key is not among the licence keys of this server.');
  const end = trimmed.lastIndexOf('.');
  const signature = Buffer.from(trimmed.slice(end + 1), 'base64url');
  // A signature in another base64url spelling of the same bytes is refused, so that each licence has exactly one token.
  const isExact = signature.toString('base64url') === trimmed.slice(end + 1);
  if (!isExact || !verify(null, Buffer.from(trimmed.slice(0, end)), key, signature)) {
    throw new LicenceRefused('Its signature does not fit.');
  }
  const parsed = licencePayload.safeParse(payload);
  if (!parsed.success) throw new LicenceRefused('Its content is not that of a licence.');
  return parsed.data;
}

function decoded(token: string) {
  try {
    return decodeToken(token);
  } catch (error) {
    throw new LicenceRefused((error as Error).message);
  }
}
