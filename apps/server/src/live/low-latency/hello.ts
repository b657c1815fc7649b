import { type LiveSocketAsk, liveSocketAsk, liveSocketHello } from '@osprey/contract';
import type { z } from 'zod';

export type Hello = z.output<typeof liveSocketHello>;

/** Parses the first message of a client; null if it is invalid. */
export function readHello(text: string): Hello | null {
  try {
    return liveSocketHello.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Parses a request for telemetry; null if it is invalid. */
export function readAsk(text: string): LiveSocketAsk | null {
  try {
    return liveSocketAsk.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
