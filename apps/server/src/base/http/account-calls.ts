import type { Call } from '@osprey/contract';
import { z } from 'zod';

/** Fields that carry what opens an account: given to set or check it, or answered once it was made. */
const GIVEN = /^(?:\w+P|p)assword$/;
const ANSWERED = new Set(['credential', 'recoveryCodes', 'secret', 'token']);
const SECOND_FACTOR = /\/second-factor(?:\/|$)/;

/**
 * Whether a call makes a credential or a password link, or changes a password or a second factor. A program's
 * credential may not make it: one that was stolen would outlive its own end. Found by the shapes that the contract
 * gives, so that a call that is added later is among them.
 */
export function opensAccounts({
  method,
  path,
  input,
  answer,
}: Pick<Call, 'method' | 'path' | 'input' | 'answer'>): boolean {
  if (method === 'GET') return false;
  if (SECOND_FACTOR.test(path)) return true;
  return fieldsOf(input).some((name) => GIVEN.test(name)) || fieldsOf(answer).some((name) => ANSWERED.has(name));
}

/** Names of all fields, at every depth. */
function fieldsOf(schema: z.ZodType): string[] {
  const names: string[] = [];
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => void names.push(...Object.keys(jsonSchema.properties ?? {})),
  });
  return names;
}
