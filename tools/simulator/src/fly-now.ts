import { flyTraffic } from './ais/fly-traffic.ts';
import type { Command } from './command-line.ts';
import { simulateLive } from './live.ts';
import { openLiveOutput } from './live-output.ts';

const START_MS = 500;

/** Returns a signal that SIGINT and SIGTERM abort, so that work can end cleanly. */
export function untilSignal(stop = new AbortController()): AbortSignal {
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  return stop.signal;
}

/** Flies all sensors simultaneously until SIGINT or SIGTERM, which end the flight cleanly. */
export async function flyNow(
  { options, sensors, url, ffmpeg, ais }: Extract<Command, { kind: 'live' }>,
  print: (text: string) => void,
): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  untilSignal(stop);
  // All sensors share one clock, so that their frames are drawn at the same moments. It starts a little later, since
  // the encoders need time to start.
  const startUs = (Date.now() + START_MS) * 1000;
  const outputs = await Promise.all(Array.from({ length: sensors }, (_, index) => openLiveOutput(url, index)));
  print(`Sending ${sensors} ${sensors === 1 ? 'sensor' : 'sensors'} to ${url.replace(/\?.*$/s, '')}; Ctrl-C ends`);
  const flights = outputs.map((output, index) =>
    simulateLive(
      { ...options, startUs, sensor: index + 1 },
      { ...(ffmpeg === undefined ? {} : { ffmpeg }), output, signal: stop.signal },
    ),
  );
  const traffic = ais === undefined ? Promise.resolve(null) : flyTraffic(ais, { ...options, startUs }, stop.signal);
  traffic.catch(end);
  // If one flight fails, the others end too.
  for (const flight of flights) flight.catch(end);
  for (const [index, flight] of (await Promise.all(flights)).entries()) {
    const { frames, skipped, klvPackets, bytes } = flight;
    const left = skipped === 0 ? '' : `, ${skipped} frames left out because this machine was too slow`;
    print(`Sensor ${index + 1}: ${frames} frames, ${klvPackets} KLV packets, ${bytes} bytes${left}`);
  }
  const said = await traffic;
  if (said !== null) print(said);
}
