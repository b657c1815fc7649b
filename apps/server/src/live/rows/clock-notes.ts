import type { AuditNote } from '../../base/audit/request-audit.ts';
import { wallClockMoves } from '../../recorder/wall-clock.ts';

const LOOK_MS = 1000;
/** Smaller steps are normal corrections by a time service. */
const JUMP_MS = 60_000;

export type ClockNotesDeps = {
  audit: (note: AuditNote) => Promise<void>;
  nowUs: () => number;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** A row of the audit for each time that the clock of this machine was set by more than a minute. */
export function clockNotes({ audit, nowUs, nowMs, log }: ClockNotesDeps) {
  const clockMoved = wallClockMoves({ nowUs, nowMs });
  const untold: AuditNote[] = [];
  let telling: Promise<void> | null = null;

  const timer = setInterval(() => {
    const moved = clockMoved();
    if (Math.abs(moved) > JUMP_MS) {
      const seconds = (Math.abs(moved) / 1000).toFixed(0);
      const reason = `The clock of the server was set ${moved > 0 ? 'ahead' : 'back'} by ${seconds} s.`;
      untold.push({ action: 'server.clock', reason });
    }
    if (untold.length > 0) telling ??= tell();
  }, LOOK_MS);

  /** Notes that cannot be kept now are tried again at the next look. */
  async function tell(): Promise<void> {
    try {
      for (let next = untold[0]; next !== undefined; next = untold[0]) {
        await audit(next);
        untold.shift();
      }
    } catch (error) {
      log.warn({ error }, 'that the clock was set could not be written into the audit');
    }
    telling = null;
  }

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await telling;
    },
  };
}
