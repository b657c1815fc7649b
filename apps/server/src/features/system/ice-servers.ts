import { createHmac } from 'node:crypto';
import type { Info } from '@osprey/contract';
import type { Config } from '../../base/config/config.ts';

/**
 * Enough to open a connection, for which the page asks each time. An open one goes on: coturn checks the expiry in a
 * name only when a relay begins. A relay that ends it all the same is opened again by the page, with another name.
 */
const TURN_LIFE_S = 600;

type IceServers = NonNullable<Info['iceServers']>;

/**
 * ICE servers for the browser of a user. TURN servers take credentials derived from their shared secret
 * (use-auth-secret of coturn): a name with its expiry, and a password that proves it.
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
