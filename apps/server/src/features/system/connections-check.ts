import type { ConnectionLimit } from '../../base/http/connection-limit.ts';
import type { HealthCheck } from './checks.ts';

/**
 * Health check of connections refused since the start, which occur in attacks or behind a proxy that is not trusted.
 */
export function connectionsCheck({ most, refused }: Pick<ConnectionLimit, 'most' | 'refused'>): HealthCheck {
  return async () => {
    const name = 'connections';
    const limit = `One address may hold ${most}`;
    const count = refused();
    if (count === 0) return { name, state: 'ok', text: `No connection was refused since the start. ${limit}.` };
    const what = count === 1 ? '1 connection was' : `${count} connections were`;
    const advice = 'A proxy in front of this server must be named in OSPREY_TRUSTED_PROXY.';
    return { name, state: 'warning', text: `${what} refused since the start. ${limit} at once. ${advice}` };
  };
}
