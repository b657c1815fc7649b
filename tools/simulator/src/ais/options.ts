import type { SimulationOptions } from '../options.ts';
import { resolveOptions } from '../resolve-options.ts';

/**
 * Settings of AIS traffic around a flight. Ships, seed, origin and start are those of the flight, so that its camera
 * sees the same ships.
 */
export type TrafficSettings = Pick<SimulationOptions, 'seed' | 'origin' | 'ships' | 'startUs' | 'seconds'> & {
  /** Number of ships on the lanes around the scene, 0 to 5,000. Default 60. */
  lanes?: number;
  /** Standard deviation of the positions in each direction, in metres, 0 to 1,000. Default 4. */
  noiseM?: number;
  /** True if a search and rescue transmitter is active. Default false. */
  sart?: boolean;
  /** Source name in the tag blocks, which also carry the time; null for no tag blocks. Default null. */
  source?: string | null;
};

export type TrafficOptions = Required<Omit<TrafficSettings, 'origin'>> & { origin: { lon: number; lat: number } };

/** Maximum number of ships on the lanes. */
const MAX_SHIPS = 5000;

/** Thrown if a traffic setting is out of range; the message names its command-line flag. */
export class TrafficError extends Error {
  override name = 'TrafficError';
}

/**
 * Fills in defaults.
 *
 * @throws OptionError for settings shared with the flight, TrafficError for the others
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
