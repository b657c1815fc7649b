import { setTimeout as pause } from 'node:timers/promises';
import type { LivePlatform } from '@osprey/contract';
import { apiOf } from '../test-support/data/api.ts';

const PATIENCE_MS = 60_000;
const POLL_MS = 100;

/** Returns the sensor of the only platform, once its stream is online. */
export async function onlineSensor(address: string): Promise<string> {
  const { send } = apiOf(address);
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const [platform] = await send<LivePlatform[]>('GET', 'platforms');
    if (platform?.state === 'online') return platform.sensors[0]!._id;
    if (Date.now() > until) throw new Error('The sensor does not come online');
    await pause(POLL_MS);
  }
}

/** Returns the duration set with an option such as `--seconds=20`; otherwise the full duration. */
export function secondsOf(options: readonly string[], whole: number): number {
  const given = options.find((option) => option.startsWith('--seconds='))?.slice('--seconds='.length);
  const seconds = given === undefined ? whole : Number(given);
  if (!(seconds > 0)) throw new RangeError(`--seconds=${given}: it must be a number above 0`);
  return seconds;
}
