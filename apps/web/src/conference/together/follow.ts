import type { SharedMission } from '@osprey/contract';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';

/** Maximum distance from the leader's time, in microseconds, at which both pages look alike at normal speed. */
const SAME_US = 300_000;
/** Wait in milliseconds between two seeks, since a seek takes some time to have an effect. */
const SEEK_INTERVAL_MS = 2500;
/**
 * Maximum distance in microseconds between the time reported by the leader and the time that plain playback would have
 * reached. If it is greater, the leader has sought to another time.
 */
const JUMP_US = 500_000;
/**
 * Maximum time in microseconds by which a follower seeks ahead of the leader during playback. Seeking ahead compensates
 * for the duration of the seek, during which the leader plays on.
 */
const AHEAD_MAX_US = 3_000_000;

type Deps = {
  clock: MissionClock;
  sensorIds: readonly string[];
  now?: () => number;
  /** Whether the user has just touched this page. */
  isTouched: () => boolean;
  /** Called when the user of this page moves the clock. */
  onOwnWay: () => void;
};

/** Keeps a clock in step with the leader's. This ends when the user moves the clock. */
export function followClock({ clock, sensorIds, now = () => performance.now(), isTouched, onOwnWay }: Deps) {
  let seen: { view: SharedMission; atMs: number } | null = null;
  let seekMs = Number.NEGATIVE_INFINITY;
  let seekUs: number | null = null;
  let aheadUs = 0;
  /** True while the duration of a seek is being measured. */
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

  /** Applies the leader's view. `jumped`: whether the leader has sought, instead of only playing on. */
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
    if (isOff && (!playing || jumped || (!waiting && now() - seekMs > SEEK_INTERVAL_MS))) {
      measures = true;
      seek(targetUs(seen) + (waiting ? 0 : aheadUs * speed));
    }
    if (!playing) clock.play();
  }

  function followStanding(playing: boolean, timeUs: number): void {
    if (playing) clock.pause();
    measures = false;
    const isThere = Math.abs(clock.timeUs() - timeUs) < 1000;
    // Do not repeat a seek too often, in case this clock cannot reach the time.
    if (!isThere && (seekUs !== timeUs || now() - seekMs > SEEK_INTERVAL_MS)) seek(timeUs);
  }

  /** Measures how late the last seek arrived, so that the next seek goes ahead by this much. */
  function measure(): void {
    const { playing, settling } = clock.get();
    if (!measures || !playing || settling || seen === null || seen.view.waiting) return;
    measures = false;
    const lateUs = (targetUs(seen) - clock.timeUs()) / Math.max(1, seen.view.speed);
    aheadUs = Math.min(AHEAD_MAX_US, Math.max(0, aheadUs + lateUs));
  }

  const expected = () => seen !== null && !driving && isTouched();
  const unsubscribes = [
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
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}
