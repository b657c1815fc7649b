import { HIDDEN_SECRET } from '@osprey/contract';
import type { SecretBox } from '../base/access/secret-box.ts';
import type { SourceOrder } from '../recorder-wire/protocol.ts';

/**
 * Returns the address of a source with its passwords filled in for the placeholders of the stored address.
 *
 * @throws Error if the passwords were sealed with another key, or their number differs from that of the placeholders
 */
export function fullAddress({ url, secret }: SourceOrder, box: SecretBox): string {
  const secrets = secret === null ? [] : box.open(secret);
  const parts = url.split(HIDDEN_SECRET);
  if (parts.length !== secrets.length + 1) throw new Error('The passwords of an address do not fit it');
  return parts.map((part, index) => part + (secrets[index] ?? '')).join('');
}
