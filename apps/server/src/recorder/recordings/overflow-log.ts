import type { Overflow } from '../../recorder-wire/protocol.ts';

/** Packets that are dropped again within this belong to the same time. */
const QUIET_MS = 60_000;
/** More than any journal should carry: later ones are said at once, and not kept. */
const OVERFLOWS_MAX = 1000;

export type OverflowLogDeps = {
  /** The journal must be written. */
  changed(): void;
  nowUs(): number;
  nowMs(): number;
};

/**
 * The times in which packets came faster than the disk took them, for the journal of a recording. `existing`: times from
 * before a restart; one without an end, because of a crash, ends where it began, since its length is not known.
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
