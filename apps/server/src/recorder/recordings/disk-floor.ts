import { spaceLevel } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { Recording } from '../../recorder-wire/protocol.ts';

/** Interval of checks of the free space. */
const EVERY_MS = 1000;
/** Several writes that find the disk full within this time end recordings only once. */
const FULL_EVERY_MS = 400;

export type DiskFloorDeps = {
  space: Storage['space'];
  running(): readonly Recording[];
  /** Ends a recording for lack of disk space; its files are completed. */
  end(recording: Recording): void;
  failed(error: unknown): void;
  nowMs(): number;
};

/** Ends recordings while free disk space is below the minimum, those of the least priority first. */
export type DiskFloor = {
  tick(): void;
  /** Called when a write found the disk full: ends recordings at once. */
  full(): void;
  hasRoom(): boolean;
};

export function createDiskFloor({ space, running, end, failed, nowMs }: DiskFloorDeps): DiskFloor {
  let askedMs = Number.NEGATIVE_INFINITY;
  let fullMs = Number.NEGATIVE_INFINITY;
  let isFull = false;
  /**
   * True after recordings had to end: new ones begin only when there is room for exports again, or they would end
   * within seconds.
   */
  let isRecovering = false;

  async function look(): Promise<void> {
    const level = spaceLevel(await space());
    isFull = level === 'noRecording';
    if (isFull) endLeast();
    else if (level !== 'noExports') isRecovering = false;
  }

  /** Ends all recordings of the lowest priority rank at each check: the freed space may be enough for the others. */
  function endLeast(): void {
    isRecovering = true;
    const all = running();
    const least = Math.max(...all.map(({ priority }) => priority));
    for (const recording of all.filter(({ priority }) => priority === least)) end(recording);
  }

  return {
    tick() {
      if (nowMs() - askedMs < EVERY_MS) return;
      askedMs = nowMs();
      look().catch(failed);
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
