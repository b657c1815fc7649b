import type { Sensor } from '@osprey/contract';

/** Returns which files of a sensor are damaged on the server, and how; null if none is known to be damaged. */
export function damageOf({ assets }: Pick<Sensor, 'assets'>): string | null {
  const damaged = assets.flatMap(({ name, damage }) => (damage === undefined ? [] : [`${name}: ${damage}`]));
  return damaged.length === 0 ? null : damaged.join(' ');
}
