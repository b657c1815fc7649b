import type { LiveUnit } from '../components.ts';

const TICKS_PER_MS = 90;
/**
 * If the stream clock and the monotonic clock differ by more than this between two pictures, the stream clock has
 * jumped.
 */
export const JUMP_MS = 2000;

/** Reports for each picture whether the clock of the stream jumped before it. */
export function createStreamClockWatch(nowMs: () => number): { jumped(unit: LiveUnit): boolean; forget(): void } {
  let before: { run: number; ticks: number; atMs: number } | null = null;

  return {
    jumped(unit) {
      const ticks = unit.dtsTicks ?? unit.ptsTicks;
      if (ticks === null) return false;
      const atMs = nowMs();
      const last = before;
      before = { run: unit.run, ticks, atMs };
      if (last === null) return false;
      if (last.run !== unit.run) return true;
      // After a pause, a stream may continue with the timestamps from before the pause or with current ones; neither
      // counts as a jump.
      const stepMs = (ticks - last.ticks) / TICKS_PER_MS;
      return Math.abs(stepMs) > JUMP_MS && Math.abs(stepMs - (atMs - last.atMs)) > JUMP_MS;
    },
    forget() {
      before = null;
    },
  };
}
