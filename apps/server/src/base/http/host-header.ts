const HOST = /^(\[[0-9a-f:.]+\]|[^\s:[\]@/?#]+)(?::(\d{1,5}))?$/i;
const PORT_MAX = 65_535;

/**
 * The name or address in a Host header, lower case and without its port; null if it is neither, or its port is not from
 * 1 to 65535.
 */
export function hostIn(header: string | undefined): string | null {
  const [, host, port] = HOST.exec(header ?? '') ?? [];
  if (host === undefined) return null;
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= PORT_MAX);
  return isPort ? host.toLowerCase() : null;
}

/**
 * Whether a request has more than one Host header. Such requests are ambiguous, since different programs would use
 * different ones.
 */
export const hasManyHosts = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === 'host').length > 1;
