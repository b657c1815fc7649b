import type { IncomingMessage } from 'node:http';

/** Browsers name the page that opens a socket; programs name none, and need a ticket all the same. */
export function isOurPage({ headers }: Pick<IncomingMessage, 'headers'>, hosts: ReadonlySet<string>): boolean {
  const host = headers.host?.toLowerCase() ?? '';
  if (!hosts.has(host.replace(/:\d+$/, ''))) return false;
  if (headers.origin === undefined) return true;
  const page = URL.parse(headers.origin);
  return page !== null && page.host === host;
}
