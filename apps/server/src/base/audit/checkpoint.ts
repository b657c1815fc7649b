import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { ChainHead } from '../db/audit-rows.ts';
import type { PublicKeys, SigningKey } from './signing-key.ts';

/**
 * Signed last rows of all chains at one moment. Rows written before it cannot be changed or cut off without detection.
 * Checkpoints are numbered from 1 without gaps.
 */
export const checkpoint = z.object({
  number: z.int().positive(),
  /** UTC microseconds. */
  time: z.int(),
  chains: z.array(z.object({ node: z.string(), seq: z.int(), hash: z.string().regex(/^[0-9a-f]{64}$/) })),
  key: z.string(),
  /** Ed25519, base64. */
  signature: z.string(),
});
export type Checkpoint = z.output<typeof checkpoint>;

const DOMAIN = 'osprey audit checkpoint 1\n';

const signedBytes = ({ number, time, chains, key }: Omit<Checkpoint, 'signature'>): Buffer => {
  const heads = [...chains].sort((a, b) => (a.node < b.node ? -1 : 1)).map(({ node, seq, hash }) => [node, seq, hash]);
  return Buffer.from(DOMAIN + JSON.stringify([number, time, key, heads]));
};

export function signCheckpoint(
  { id, privateKey }: SigningKey,
  content: { number: number; time: number; chains: ChainHead[] },
): Checkpoint {
  const unsigned = { ...content, key: id };
  return { ...unsigned, signature: sign(null, signedBytes(unsigned), privateKey).toString('base64') };
}

/** Whether the signature is valid. Also false for an unknown key. */
export function isSigned(one: Checkpoint, keys: PublicKeys): boolean {
  const key = keys.get(one.key);
  return key !== undefined && verify(null, signedBytes(one), key, Buffer.from(one.signature, 'base64'));
}
