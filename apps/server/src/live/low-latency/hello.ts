import { type LiveSocketAsk, liveSocketAsk, liveSocketHello } from '@osprey/contract';
import type { z } from 'zod';

export type Hello = z.output<typeof liveSocketHello>;

/** Null for what is none. */
export function readHello(text: string): Hello | null {
  try {
    return liveSocketHello.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Null for what is none. */
export function readAsk(text: string): LiveSocketAsk | null {
  try {
    return liveSocketAsk.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
