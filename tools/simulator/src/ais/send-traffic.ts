import { resolveTraffic, type TrafficSettings } from './options.ts';
import { Traffic } from './traffic.ts';
import type { TrafficOutput } from './traffic-output.ts';

/** Interval between two rounds of sending, in milliseconds; sentences are sent at most this much after their time. */
const TICK_MS = 100;

export type TrafficResult = { messages: number; sentences: number; ships: number };

/** Counts the messages and sentences that are sent to an output. */
function counting(output: TrafficOutput) {
  const result = { messages: 0, sentences: 0 };
  const ships = new Set<number>();
  return {
    send(traffic: Traffic, endS: number) {
      for (const { message, sentences } of traffic.until(endS)) {
        output.write(sentences);
        result.messages += 1;
        result.sentences += sentences.length;
        ships.add(message.mmsi);
      }
    },
    result: (): TrafficResult => ({ ...result, ships: ships.size }),
  };
}

/**
 * Sends traffic in real time, starting at `startUs`, for `seconds` if given, otherwise until the signal. The output is
 * closed.
 */
export async function sendTraffic(
  settings: TrafficSettings,
  { output, signal }: { output: TrafficOutput; signal: AbortSignal },
): Promise<TrafficResult> {
  const options = resolveTraffic(settings);
  const traffic = new Traffic(options);
  const counter = counting(output);
  const endS = settings.seconds ?? Number.POSITIVE_INFINITY;
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        clearInterval(timer);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const timer = setInterval(() => {
        const nowS = (Date.now() * 1000 - options.startUs) / 1e6;
        try {
          counter.send(traffic, Math.min(nowS, endS));
        } catch (error) {
          stop();
          reject(error);
        }
        if (nowS >= endS) stop();
      }, TICK_MS);
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
    });
  } finally {
    await output.close();
  }
  return counter.result();
}

/** Writes the traffic of a recorded flight without waiting. The output is closed. */
export async function writeTraffic(settings: TrafficSettings, output: TrafficOutput): Promise<TrafficResult> {
  const options = resolveTraffic(settings);
  const traffic = new Traffic(options);
  const counter = counting(output);
  try {
    for (let endS = 1; endS < options.seconds; endS += 1) counter.send(traffic, endS);
    counter.send(traffic, options.seconds);
  } finally {
    await output.close();
  }
  return counter.result();
}
