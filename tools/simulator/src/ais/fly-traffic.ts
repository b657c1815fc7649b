import type { AisCommand } from '../command-line.ts';
import type { SimulationOptions } from '../options.ts';
import { resolveTraffic } from './options.ts';
import { sendTraffic, type TrafficResult, writeTraffic } from './send-traffic.ts';
import { openTrafficOutput } from './traffic-output.ts';

/** Returns the options that the flight and its traffic share. */
const shared = ({ seed, origin, ships, startUs, seconds }: SimulationOptions) =>
  Object.fromEntries(
    Object.entries({ seed, origin, ships, startUs, seconds }).filter(([, value]) => value !== undefined),
  ) as Pick<SimulationOptions, 'seed' | 'origin' | 'ships' | 'startUs' | 'seconds'>;

const said = ({ messages, sentences, ships }: TrafficResult): string =>
  `${messages} AIS messages of ${ships} stations in ${sentences} sentences`;

/**
 * Sends traffic in real time, starting at `startUs`, until the signal or for `seconds`. @returns the text to print at
 * its end
 */
export async function flyTraffic(
  ais: AisCommand,
  options: SimulationOptions & { startUs: number },
  signal: AbortSignal,
): Promise<string> {
  const settings = { ...shared(options), ...ais.settings };
  resolveTraffic(settings);
  return said(await sendTraffic(settings, { output: await openTrafficOutput(ais.to), signal }));
}

/** Writes the traffic of a recorded flight. @returns the text to print */
export async function recordTraffic(ais: AisCommand, options: SimulationOptions): Promise<string> {
  // Tag blocks are needed, since a file without the times of its sentences would be useless.
  const settings = { ...shared(options), source: 'sim', ...ais.settings };
  resolveTraffic(settings);
  return `${ais.to}: ${said(await writeTraffic(settings, await openTrafficOutput(ais.to)))}`;
}
