import { spaceLevel } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { Recording } from '../../recorder-wire/protocol.ts';

/** Interval of checks of the free space. */
const EVERY_MS = 1000;
/** Several files that find no room at once are one reason to end recordings. */
const FULL_EVERY_MS = 400;

export type DiskFloorDeps = {
  space: Storage['space'];
  running(): readonly Recording[];
  /** No more room for it: it ends whole. */
  end(recording: Recording): void;
  failed(error: unknown): void;
  nowMs(): number;
};

/** Ends recordings while the disk is below its floor, those of the least priority first. */
export type DiskFloor = {
  tick(): void;
  /** A write found no room: what is to end ends now. */
  full(): void;
  hasRoom(): boolean;
};

export function createDiskFloor({ space, running, end, failed, nowMs }: DiskFloorDeps): DiskFloor {
  let askedMs = Number.NEGATIVE_INFINITY;
  let fullMs = Number.NEGATIVE_INFINITY;
  let isFull = false;
  /** After recordings had to end, others begin once there is room for exports again: not to end within seconds. */
  let isRecovering = false;

  async function look(): Promise<void> {
    const level = spaceLevel(await space());
    isFull = level === 'noRecording';
    if (isFull) endLeast();
    else if (level !== 'noExports') isRecovering = false;
  }

  /** Ends recordings of one rank of priority at each look: the free space may be enough for the others afterwards. */
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
