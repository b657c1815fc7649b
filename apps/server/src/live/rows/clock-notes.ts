import type { AuditNote } from '../../base/audit/request-audit.ts';
import { wallClockMoves } from '../../recorder/wall-clock.ts';

const CHECK_MS = 1000;
/** Minimum step of the clock that is noted; smaller steps are normal corrections by a time service. */
const JUMP_MS = 60_000;

export type ClockNotesDeps = {
  audit: (note: AuditNote) => Promise<void>;
  nowUs: () => number;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** Writes an audit row each time the system clock was set by more than a minute. */
export function clockNotes({ audit, nowUs, nowMs, log }: ClockNotesDeps) {
  const clockMoved = wallClockMoves({ nowUs, nowMs });
  const pending: AuditNote[] = [];
  let notifying: Promise<void> | null = null;

  const timer = setInterval(() => {
    const moved = clockMoved();
    if (Math.abs(moved) > JUMP_MS) {
      const seconds = (Math.abs(moved) / 1000).toFixed(0);
      const reason = `The clock of the server was set ${moved > 0 ? 'ahead' : 'back'} by ${seconds} s.`;
      pending.push({ action: 'server.clock', reason });
    }
    if (pending.length > 0) notifying ??= notify();
  }, CHECK_MS);

  /** Writes the pending rows; those that fail are retried at the next check. */
  async function notify(): Promise<void> {
    try {
      for (let next = pending[0]; next !== undefined; next = pending[0]) {
        await audit(next);
        pending.shift();
      }
    } catch (error) {
      log.warn({ error }, 'that the clock was set could not be written into the audit');
    }
    notifying = null;
  }

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await notifying;
    },
  };
}
