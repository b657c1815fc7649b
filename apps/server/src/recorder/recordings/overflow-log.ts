import type { Overflow } from '../../recorder-wire/protocol.ts';

/** Packets that are dropped less than this time apart belong to the same overflow. */
const QUIET_MS = 60_000;
/** Maximum number of overflows in one journal; later ones are reported but not stored. */
const OVERFLOWS_MAX = 1000;

export type OverflowLogDeps = {
  /** Called when the overflows have changed and the journal must be written again. */
  changed(): void;
  nowUs(): number;
  nowMs(): number;
};

/**
 * Logs the periods in which packets arrived faster than the disk could write them, for the journal of a recording.
 * `existing`: periods from before a restart. If a crash left a period without an end, its start is used as its end,
 * since its length is unknown.
 */
export function createOverflowLog(existing: readonly Overflow[], { changed, nowUs, nowMs }: OverflowLogDeps) {
  const all = existing.map((one) => ({ ...one, endedUs: one.endedUs ?? one.startedUs }));
  let open: Overflow | null = null;
  let lastUs = 0;
  let lastMs = 0;

  function end(): void {
    if (open === null) return;
    all.push({ ...open, endedUs: Math.max(lastUs, open.startedUs) });
    open = null;
    changed();
  }

  return {
    dropped(packets: number): void {
      lastUs = nowUs();
      lastMs = nowMs();
      if (open !== null) open.packets += packets;
      else if (all.length < OVERFLOWS_MAX) {
        open = { startedUs: lastUs, endedUs: null, packets };
        changed();
      }
    },
    tick(): void {
      if (nowMs() - lastMs >= QUIET_MS) end();
    },
    end,
    list: (): Overflow[] => (open === null ? [...all] : [...all, { ...open }]),
  };
}
