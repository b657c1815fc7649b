import { hashes, verify } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { hex } from './hashing.ts';
import type { AuditProof } from './manifest.ts';

hashes.sha512 = sha512;

/** The bytes before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
export const SPKI_HEAD = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00);

export type VerifyingKey = {
  /** The key itself, 32 bytes. */
  bytes: Uint8Array;
  /** SHA-256 of the SubjectPublicKeyInfo in hex; its first 16 characters are the key id used in checkpoints. */
  fingerprint: string;
};

/** An Ed25519 public key in PEM; null for anything else. */
export function keyOfPem(pem: string): VerifyingKey | null {
  const body = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]{1,200})-----END PUBLIC KEY-----\s*$/.exec(pem)?.[1];
  const der = body === undefined ? null : base64(body.replace(/\s/g, ''));
  if (der === null || der.length !== SPKI_HEAD.length + 32) return null;
  if (!SPKI_HEAD.every((byte, at) => der[at] === byte)) return null;
  return { bytes: der.slice(SPKI_HEAD.length), fingerprint: hex(sha256(der)) };
}

export function isSignedBy({ bytes }: VerifyingKey, signature: Uint8Array, message: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  try {
    return verify(signature, message, bytes, { zip215: false });
  } catch {
    return false;
  }
}

const CHECKPOINT_DOMAIN = 'osprey audit checkpoint 1\n';

/** Returns the bytes covered by a checkpoint's signature. */
export function checkpointBytes({
  number,
  time,
  key,
  chains,
}: Omit<AuditProof['checkpoint'], 'signature'>): Uint8Array {
  const heads = [...chains].sort((a, b) => (a.node < b.node ? -1 : 1)).map(({ node, seq, hash }) => [node, seq, hash]);
  return new TextEncoder().encode(CHECKPOINT_DOMAIN + JSON.stringify([number, time, key, heads]));
}

/**
 * Checks an audit proof and returns its fault as a sentence; null if the proof is valid. `subject`: the export that its
 * row must be about.
 */
export function faultOfProof(
  { columns, row, checkpoint }: AuditProof,
  key: VerifyingKey,
  subject: { caseId: string; sumsSha256: string | null },
): string | null {
  const text = JSON.stringify(columns.map((column) => (row as Record<string, unknown>)[column] ?? null));
  const hash = sha256.create().update(bytesOfHex(row.previous_hash)).update(new TextEncoder().encode(text)).digest();
  if (hex(hash) !== row.hash) return 'The row of the audit was changed.';
  const needed = ['node', 'seq', 'action', 'item_id', 'reason'];
  const says = row.action === 'case.exported' && needed.every((column) => columns.includes(column));
  if (!says || row.item_id !== subject.caseId || !row.reason?.includes(subject.sumsSha256 ?? '\0')) {
    return 'The row of the audit speaks of another package.';
  }
  const isCovered = checkpoint.chains.some(
    (one) => one.node === row.node && one.seq === row.seq && one.hash === row.hash,
  );
  if (!isCovered) return 'The checkpoint of the audit does not cover its row.';
  const signature = base64(checkpoint.signature);
  const isSigned = signature !== null && isSignedBy(key, signature, checkpointBytes(checkpoint));
  return isSigned ? null : 'The checkpoint of the audit is not signed by the key of this package.';
}

function base64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

const bytesOfHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
