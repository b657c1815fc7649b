import type { Call } from '@osprey/contract';
import * as contract from '@osprey/contract';
import type { Http } from './call-route.ts';
import { nameOf } from './call-route.ts';

/** Returns all calls of the contract, with the names they are exported by. */
export function contractCalls(): { name: string; call: Call }[] {
  return Object.entries(contract as Record<string, unknown>)
    .flatMap(([name, value]) => (isCall(value) ? [{ name, call: value }] : []))
    .sort((a, b) => a.call.path.localeCompare(b.call.path) || a.call.method.localeCompare(b.call.method));
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'path' in value && 'action' in value && 'answer' in value;
}

/** @throws Error that names the calls without a handler, since a server that lacks one must not start */
export function checkAllServed({ served }: Http): void {
  const missing = contractCalls().filter(({ call }) => !served.has(call));
  if (missing.length === 0) return;
  throw new Error(`Calls of the contract without a handler: ${missing.map(({ call }) => nameOf(call)).join(', ')}`);
}
