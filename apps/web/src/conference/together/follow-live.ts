import type { SharedLive } from '@osprey/contract';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';
import { behindOf } from './view.ts';

/** Two machines are never closer to live than this to each other. */
const SAME_S = 4;
/** Going back opens another way to watch, which takes seconds: until then it is not corrected again. */
const PATIENCE_MS = 8000;

type Deps = {
  clock: MissionClock;
  now?: () => number;
  /** Whether somebody has touched this page a moment ago. */
  isTouched: () => boolean;
  /** Called when the user pauses, goes back or goes to live. */
  onOwnWay: () => void;
};

/**
 * Keeps a live clock in step with the leader's: paused when the leader pauses, and as far behind live. A user who moves
 * the clock by hand stops following.
 */
export function followLive({ clock, now = () => performance.now(), isTouched, onOwnWay }: Deps) {
  let seen: SharedLive | null = null;
  let movedMs = Number.NEGATIVE_INFINITY;
  let requestedS: number | null = null;
  let driving = false;

  function follow({ sensor, playing, behindS }: SharedLive): void {
    const { leader, playing: plays, endUs } = clock.get();
    if (sensor !== null && sensor !== leader) clock.lead(sensor);
    if (!playing) {
      if (plays) clock.pause();
      return;
    }
    if (!plays) clock.play();
    const isOff = Math.abs(behindOf(clock) - behindS) > SAME_S;
    const isNew = requestedS === null || Math.abs(requestedS - behindS) > SAME_S;
    if (!isOff || (!isNew && now() - movedMs < PATIENCE_MS)) return;
    movedMs = now();
    requestedS = behindS;
    if (behindS === 0) clock.seek(Math.max(endUs, 1));
    else clock.skip((behindOf(clock) - behindS) * 1e6);
  }

  function look(): void {
    if (seen === null || driving || !isTouched()) return;
    const isMoved = seen.playing && Math.abs(behindOf(clock) - seen.behindS) > SAME_S;
    if (clock.get().playing !== seen.playing || (isMoved && now() - movedMs > PATIENCE_MS)) onOwnWay();
  }
  const leaves = [clock.subscribe(look), clock.onTime(look)];

  return {
    show(view: SharedLive): void {
      seen = view;
      driving = true;
      follow(view);
      driving = false;
    },
    stop(): void {
      for (const leave of leaves) leave();
    },
  };
}
