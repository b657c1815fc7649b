import type { SensorStreamState } from '@osprey/contract';

/**
 * A stream without data for this time is lost; one that never had data is offline. Viewers must know within 2 s of the
 * last packet; the remainder is for the transfer to the page.
 */
export const LOST_MS = 1700;

/** Tracks the state of one stream by the monotonic clock. Each method returns whether it changed the state. */
export type StreamWatch = {
  state(): SensorStreamState;
  /** Notes that the source was switched on or off. */
  switched(on: boolean, nowMs: number): boolean;
  /** Notes that packets came; `isProgram` once a program was found in them. */
  onData(isProgram: boolean, nowMs: number): boolean;
  /** Called ten times a second to detect silence. */
  tick(nowMs: number): boolean;
};

type Limits = {
  /** Silence after which the stream is lost. */
  lostMs: number;
  /** Time without any packet, after switching on, after which the stream is offline. */
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
