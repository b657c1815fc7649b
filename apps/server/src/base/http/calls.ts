import type { Call } from '@osprey/contract';
import * as contract from '@osprey/contract';
import type { Http } from './call-route.ts';
import { nameOf } from './call-route.ts';

/** Every call that the contract states, with the name it is exported by. */
export function contractCalls(): { name: string; call: Call }[] {
  return Object.entries(contract as Record<string, unknown>)
    .flatMap(([name, value]) => (isCall(value) ? [{ name, call: value }] : []))
    .sort((a, b) => a.call.path.localeCompare(b.call.path) || a.call.method.localeCompare(b.call.method));
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'path' in value && 'action' in value && 'answer' in value;
}

/** @throws Error that names the calls without a handler: such a server does not start */
export function checkAllServed({ served }: Http): void {
  const missing = contractCalls().filter(({ call }) => !served.has(call));
  if (missing.length === 0) return;
  throw new Error(`Calls of the contract without a handler: ${missing.map(({ call }) => nameOf(call)).join(', ')}`);
}
