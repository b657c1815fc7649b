import type { IncomingMessage } from 'node:http';
import { hasManyHosts, hostIn } from '../http/host-header.ts';

/**
 * Whether a request's Origin header names one of this server's pages. Programs send no Origin, which is accepted, since
 * they need a ticket anyway.
 */
export function isOurPage(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  hosts: ReadonlySet<string>,
): boolean {
  const host = hostIn(headers.host);
  if (host === null || !hosts.has(host) || hasManyHosts(rawHeaders)) return false;
  if (headers.origin === undefined) return true;
  const page = URL.parse(headers.origin);
  return page !== null && page.host === headers.host?.toLowerCase();
}
