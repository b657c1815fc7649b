import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { SourceCheck } from '../../recorder-wire/source-address.ts';
import { SourceError } from './source-error.ts';

/**
 * Resolves a host name and checks the address. The caller connects to the returned address, so that no unchecked
 * address is used.
 *
 * @throws SourceError when the name is unknown, or resolves to an address that the server may not call
 */
export async function checkedHost(hostname: string, check: SourceCheck): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = isIP(host) === 0 ? await resolve(host) : host;
  const { problem } = await check(`tcp://${inUrl(address)}:1`);
  if (problem !== null) throw new SourceError(problem.replace(address, host));
  return address;
}

async function resolve(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw new SourceError(`The name ${host} is not known to this server now`, { cause: error });
  }
}

/** Formats an address for a URL: IPv6 goes in brackets. */
export const inUrl = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);
