import type { IncomingMessage } from 'node:http';
import { hasManyHosts, hostIn } from '../http/host-header.ts';

/** Whether the Origin of a request is one of our pages. Programs send none, which is accepted: they need a ticket anyway. */
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
