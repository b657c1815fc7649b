import type { SharedLive } from '@osprey/contract';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';
import { behindOf } from './view.ts';

/** Difference in seconds that counts as equal, since two machines are never at exactly the same distance from live. */
const SAME_S = 4;
/**
 * Time in milliseconds to wait before the position is corrected again. Going back opens a different kind of playback,
 * which takes seconds.
 */
const CORRECTION_INTERVAL_MS = 8000;

type Deps = {
  clock: MissionClock;
  now?: () => number;
  /** Whether the user has just touched this page. */
  isTouched: () => boolean;
  /** Called when the user pauses, goes back or goes to live. */
  onOwnWay: () => void;
};

/**
 * Keeps a live clock in step with the leader's: paused when the leader has paused, and at the same distance from live.
 * Following ends when the user moves the clock.
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
    if (!isOff || (!isNew && now() - movedMs < CORRECTION_INTERVAL_MS)) return;
    movedMs = now();
    requestedS = behindS;
    if (behindS === 0) clock.seek(Math.max(endUs, 1));
    else clock.skip((behindOf(clock) - behindS) * 1e6);
  }

  function checkOwnMoves(): void {
    if (seen === null || driving || !isTouched()) return;
    const isMoved = seen.playing && Math.abs(behindOf(clock) - seen.behindS) > SAME_S;
    if (clock.get().playing !== seen.playing || (isMoved && now() - movedMs > CORRECTION_INTERVAL_MS)) onOwnWay();
  }
  const unsubscribes = [clock.subscribe(checkOwnMoves), clock.onTime(checkOwnMoves)];

  return {
    show(view: SharedLive): void {
      seen = view;
      driving = true;
      follow(view);
      driving = false;
    },
    stop(): void {
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}
