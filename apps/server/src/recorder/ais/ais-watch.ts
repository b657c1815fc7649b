import type { SensorStreamState } from '@osprey/contract';

/** In quiet waters minutes may pass between two sentences; a receiver that hears nothing for so long is worth a look. */
export const SILENT_MS = 60_000;
/** A source that was switched on and has heard nothing yet. */
const UNKNOWN_MS = 2000;

/** Knows the state of one source of AIS by the monotonic clock. What may have changed it answers whether it did. */
export function aisWatch() {
  let state: SensorStreamState = 'offline';
  let isOn = false;
  let lastMs = 0;

  function become(next: SensorStreamState): boolean {
    if (next === state) return false;
    state = next;
    return true;
  }

  return {
    state: () => state,
    switched(on: boolean, nowMs: number): boolean {
      if (on === isOn) return false;
      isOn = on;
      lastMs = nowMs;
      return become(on ? 'unknown' : 'offline');
    },
    heard(nowMs: number): boolean {
      if (!isOn) return false;
      lastMs = nowMs;
      return become('online');
    },
    tick(nowMs: number): boolean {
      if (state === 'online' && nowMs - lastMs >= SILENT_MS) return become('lost');
      return state === 'unknown' && nowMs - lastMs >= UNKNOWN_MS ? become('offline') : false;
    },
  };
}
