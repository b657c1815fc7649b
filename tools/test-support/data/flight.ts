import type { SimulationOptions } from '../../simulator/src/index.ts';
import { simulateLive } from '../../simulator/src/live.ts';
import { type LiveOutput, openLiveOutput } from '../../simulator/src/live-output.ts';
import type { Records } from '../browser/frame-sync.ts';

/** Options small enough for one machine to draw, encode, send and show the stream together with a browser. */
const LIVE: SimulationOptions = { width: 320, height: 240, fps: 15, gop: 15, ships: 2, kbps: 400 };

export type Flight = {
  /** Times of the flight's metadata records. */
  records: Records;
  stop: () => Promise<void>;
};

/**
 * Starts a simulated aircraft that sends with the current time of this machine; the same bytes also go to a second
 * port, if given.
 */
export async function startFlight(port: number, options: SimulationOptions = {}, besides?: number): Promise<Flight> {
  const startUs = Date.now() * 1000;
  const output = await outputTo(besides === undefined ? [port] : [port, besides]);
  const landing = new AbortController();
  const flown = simulateLive({ ...LIVE, ...options, startUs }, { output, signal: landing.signal });
  return {
    records: { startUs, everyUs: 100_000, endUs: Number.POSITIVE_INFINITY },
    async stop() {
      landing.abort();
      await flown;
    },
  };
}

async function outputTo(ports: readonly number[]): Promise<LiveOutput> {
  const outputs = await Promise.all(ports.map((port) => openLiveOutput(`udp://127.0.0.1:${port}`)));
  return {
    write: (bytes) => outputs.forEach((output) => void output.write(bytes)),
    flush: () => outputs.forEach((output) => void output.flush()),
    async close() {
      await Promise.all(outputs.map((output) => output.close()));
    },
  };
}
