import type { SensorStreamState } from '@osprey/contract';

/**
 * Time without data after which a stream is lost; a stream that never had data is offline instead. Viewers must be
 * notified within 2 s of the last packet; the difference is left for the transfer to the page.
 */
export const LOST_MS = 1700;

/** Tracks the state of one stream by the monotonic clock. Each method returns whether it changed the state. */
export type StreamWatch = {
  state(): SensorStreamState;
  /** Records that the source was switched on or off. */
  switched(on: boolean, nowMs: number): boolean;
  /** Records that packets arrived. `isProgram`: whether a program has been found in them. */
  onData(isProgram: boolean, nowMs: number): boolean;
  /** Called ten times a second to detect silence. */
  tick(nowMs: number): boolean;
};

type Limits = {
  /** Time without data, in milliseconds, after which the stream is lost. */
  lostMs: number;
  /** Time in milliseconds after switching on, without any packet, after which the stream is offline. */
  unknownMs: number;
};

export function streamWatch({ lostMs, unknownMs }: Limits = { lostMs: LOST_MS, unknownMs: LOST_MS }): StreamWatch {
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
    switched(on, nowMs) {
      if (on === isOn) return false;
      isOn = on;
      lastMs = nowMs;
      return become(on ? 'unknown' : 'offline');
    },
    onData(isProgram, nowMs) {
      if (!isOn || !isProgram) return false;
      lastMs = nowMs;
      return become('online');
    },
    tick(nowMs) {
      if (state === 'online' && nowMs - lastMs >= lostMs) return become('lost');
      return state === 'unknown' && nowMs - lastMs >= unknownMs ? become('offline') : false;
    },
  };
}
