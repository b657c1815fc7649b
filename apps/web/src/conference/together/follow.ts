import type { SharedMission } from '@osprey/contract';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';

/** Distance from the leader's moment up to which both pages look alike at normal speed. Microseconds. */
const SAME_US = 300_000;
/** Wait after a seek before the next one, since the effect of a seek shows late. Milliseconds. */
const PATIENCE_MS = 2500;
/**
 * Distance between the leader's reported time and the time reached by playing on; a greater one means that the leader
 * has sought. Microseconds.
 */
const JUMP_US = 500_000;
/**
 * Limit for how far ahead of the leader a follower seeks while playing: a seek takes time, in which the leader plays
 * on. Microseconds.
 */
const AHEAD_MOST_US = 3_000_000;

type Deps = {
  clock: MissionClock;
  sensorIds: readonly string[];
  now?: () => number;
  /** Whether the user has touched this page a moment ago. */
  isTouched: () => boolean;
  /** Called when the user of this page moves the clock. */
  onOwnWay: () => void;
};

/** Keeps a clock in step with the leader's. Moving it by hand ends that. */
export function followClock({ clock, sensorIds, now = () => performance.now(), isTouched, onOwnWay }: Deps) {
  let seen: { view: SharedMission; atMs: number } | null = null;
  let seekMs = Number.NEGATIVE_INFINITY;
  let seekUs: number | null = null;
  let aheadUs = 0;
  /** A seek is under way whose wait is to be measured. */
  let measures = false;
  let driving = false;

  const targetUs = ({ view, atMs }: NonNullable<typeof seen>): number =>
    view.timeUs + (view.playing && !view.waiting ? (now() - atMs) * 1000 * view.speed : 0);

  function drive(act: () => void): void {
    driving = true;
    act();
    driving = false;
  }

  function seek(timeUs: number): void {
    seekMs = now();
    seekUs = timeUs;
    clock.seek(timeUs);
  }

  /** `jumped`: the leader did not just play on. */
  function follow(jumped: boolean): void {
    if (seen === null) return;
    const { view } = seen;
    const { leader, speed, playing } = clock.get();
    if (view.sensor !== null && view.sensor !== leader && sensorIds.includes(view.sensor)) clock.lead(view.sensor);
    if (view.speed !== speed) clock.setSpeed(view.speed);
    if (view.playing) followPlaying(playing, jumped);
    else followStanding(playing, view.timeUs);
  }

  function followPlaying(playing: boolean, jumped: boolean): void {
    if (seen === null) return;
    const { waiting, speed } = seen.view;
    const isOff = Math.abs(targetUs(seen) - clock.timeUs()) > SAME_US * Math.max(1, speed);
    if (isOff && (!playing || jumped || (!waiting && now() - seekMs > PATIENCE_MS))) {
      measures = true;
      seek(targetUs(seen) + (waiting ? 0 : aheadUs * speed));
    }
    if (!playing) clock.play();
  }

  function followStanding(playing: boolean, timeUs: number): void {
    if (playing) clock.pause();
    measures = false;
    const isThere = Math.abs(clock.timeUs() - timeUs) < 1000;
    // A moment that this clock cannot take is not asked for again and again.
    if (!isThere && (seekUs !== timeUs || now() - seekMs > PATIENCE_MS)) seek(timeUs);
  }

  /** The next seek starts with the duration of the last one. */
  function measure(): void {
    const { playing, settling } = clock.get();
    if (!measures || !playing || settling || seen === null || seen.view.waiting) return;
    measures = false;
    const lateUs = (targetUs(seen) - clock.timeUs()) / Math.max(1, seen.view.speed);
    aheadUs = Math.min(AHEAD_MOST_US, Math.max(0, aheadUs + lateUs));
  }

  const expected = () => seen !== null && !driving && isTouched();
  const leaves = [
    clock.subscribe(() => {
      measure();
      if (!expected() || seen === null) return;
      const { playing, speed, leader, chosen } = clock.get();
      const { view } = seen;
      const isLed = view.sensor === null || !chosen || leader === view.sensor || !sensorIds.includes(view.sensor);
      if (playing !== view.playing || speed !== view.speed || !isLed) onOwnWay();
    }),
    clock.onTime((_, by) => {
      if (by === 'asked' && expected()) onOwnWay();
    }),
  ];

  return {
    show(view: SharedMission): void {
      const jumped = seen === null || Math.abs(view.timeUs - targetUs(seen)) > JUMP_US * Math.max(1, view.speed);
      seen = { view, atMs: now() };
      drive(() => follow(jumped));
    },
    stop(): void {
      for (const leave of leaves) leave();
    },
  };
}
