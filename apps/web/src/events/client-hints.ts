import type { Actor, Info } from '@osprey/contract';

const suffix = 1 + Math.floor(Math.random() * 99_999);

/**
 * Returns what the client reports about itself, which is shown only to administrators. The ticket determines the
 * identity.
 */
export function clientHints(actor: Actor, info: Info | null) {
  return {
    clientId: `${info?.clientId ?? actor.username}-${suffix}`,
    user: actor.username,
    ip: info?.clientIp ?? '',
    clientType: 'web',
    channel: '',
    browserInfo: navigator.userAgent.slice(0, 200),
  };
}
