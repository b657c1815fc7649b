import type { SimulationOptions } from '../options.ts';
import { resolveOptions } from '../resolve-options.ts';

/** Traffic around a flight. Ships, seed, origin and start are those of the flight, so that its camera sees the same ships. */
export type TrafficSettings = Pick<SimulationOptions, 'seed' | 'origin' | 'ships' | 'startUs' | 'seconds'> & {
  /** Ships on the lanes around the scene, 0 to 5,000. Default 60. */
  lanes?: number;
  /** Standard deviation of the positions in metres, each way, 0 to 1,000. Default 4. */
  noiseM?: number;
  /** A search and rescue transmitter is active. Default false. */
  sart?: boolean;
  /** Source of the tag blocks, which carry the time too; null: no tag blocks. Default null. */
  source?: string | null;
};

export type TrafficOptions = Required<Omit<TrafficSettings, 'origin'>> & { origin: { lon: number; lat: number } };

/** Most ships on the lanes. */
const MAX_SHIPS = 5000;

/** A setting of the traffic that is out of range; the message names its flag. */
export class TrafficError extends Error {
  override name = 'TrafficError';
}

/**
 * Fills in defaults.
 *
 * @throws OptionError for what the flight shares, TrafficError for the rest
 */
export function resolveTraffic(settings: TrafficSettings): TrafficOptions {
  const { lanes = 60, noiseM = 4, sart = false, source = null, ...flight } = settings;
  const { seed, origin, ships, startUs, seconds } = resolveOptions(flight);
  if (!Number.isInteger(lanes) || lanes < 0 || lanes > MAX_SHIPS) {
    throw new TrafficError(`--ais-ships is ${lanes}: it must be a whole number from 0 to ${MAX_SHIPS}`);
  }
  if (!(noiseM >= 0 && noiseM <= 1000)) {
    throw new TrafficError(`--ais-noise is ${noiseM}: it must be a number from 0 to 1000`);
  }
  if (source !== null && !/^[\w.-]{1,15}$/.test(source)) {
    throw new TrafficError(`--ais-source is ${source}: it must be 1 to 15 letters, digits, points and hyphens`);
  }
  return { seed, origin, ships, startUs, seconds, lanes, noiseM, sart, source };
}
