import { spaceLevel } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { Recording } from '../../recorder-wire/protocol.ts';

/** Interval between checks of the free disk space. */
const EVERY_MS = 1000;
/**
 * Minimum interval between two endings of recordings because of a full disk: several writes may fail at the same time.
 */
const FULL_EVERY_MS = 400;

export type DiskFloorDeps = {
  space: Storage['space'];
  running(): readonly Recording[];
  /** Ends a recording for lack of disk space. Its files are completed first. */
  end(recording: Recording): void;
  failed(error: unknown): void;
  nowMs(): number;
};

/** Ends recordings while free disk space is below the minimum, beginning with those of the lowest priority. */
export type DiskFloor = {
  tick(): void;
  /** Called when a write found the disk full: ends recordings immediately. */
  full(): void;
  hasRoom(): boolean;
};

export function createDiskFloor({ space, running, end, failed, nowMs }: DiskFloorDeps): DiskFloor {
  let askedMs = Number.NEGATIVE_INFINITY;
  let fullMs = Number.NEGATIVE_INFINITY;
  let isFull = false;
  /**
   * True after recordings were ended for lack of space. New recordings then begin only when there is room for exports
   * again; otherwise they would end within seconds.
   */
  let isRecovering = false;

  async function checkSpace(): Promise<void> {
    const level = spaceLevel(await space());
    isFull = level === 'noRecording';
    if (isFull) endLeast();
    else if (level !== 'noExports') isRecovering = false;
  }

  /**
   * Ends all recordings of the lowest priority rank; called at each check, since the freed space may be enough for the
   * other recordings.
   */
  function endLeast(): void {
    isRecovering = true;
    const all = running();
    const lowestPriority = Math.max(...all.map(({ priority }) => priority));
    for (const recording of all.filter(({ priority }) => priority === lowestPriority)) end(recording);
  }

  return {
    tick() {
      if (nowMs() - askedMs < EVERY_MS) return;
      askedMs = nowMs();
      checkSpace().catch(failed);
    },
    full() {
      isFull = true;
      if (nowMs() - fullMs < FULL_EVERY_MS) return;
      fullMs = nowMs();
      endLeast();
    },
    hasRoom: () => !isFull && !isRecovering,
  };
}
