import { createHmac } from 'node:crypto';
import type { Info } from '@osprey/contract';
import type { Config } from '../../base/config/config.ts';

/**
 * Lifetime of TURN credentials, in seconds, enough to open a connection; the page requests new ones each time. Open
 * connections continue: coturn checks the expiry in a name only when a relay begins. If a relay ends nevertheless, the
 * page opens another one with a new name.
 */
const TURN_LIFE_S = 600;

type IceServers = NonNullable<Info['iceServers']>;

/**
 * Returns the ICE servers for the browser of a user. TURN servers get credentials derived from their shared secret
 * (use-auth-secret of coturn): a name that contains its expiry, and a password that authenticates the name.
 */
export function iceServersOf(
  { iceServers, turnServers, turnSecret }: Pick<Config, 'iceServers' | 'turnServers' | 'turnSecret'>,
  userId: string,
  nowUs: number,
): IceServers {
  const stun = iceServers.map((urls) => ({ urls }));
  if (turnSecret === null) return stun;
  const username = `${Math.floor(nowUs / 1e6) + TURN_LIFE_S}:${userId}`;
  const credential = createHmac('sha1', turnSecret).update(username).digest('base64');
  return [...stun, ...turnServers.map((urls) => ({ urls, username, credential }))];
}
