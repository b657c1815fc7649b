import type { Orders, PlatformOrder, Recording } from '../../recorder-wire/protocol.ts';
import type { LiveStream, LiveStreams } from '../components.ts';
import { isScheduled } from './schedule.ts';

/** A recording begun by a rule ends when its platform was offline for this time. */
const OFFLINE_END_MS = 60_000;

export type RulesDeps = {
  streams: Pick<LiveStreams, 'find'>;
  /** Returns the running recording of a platform; null if there is none. */
  running(platformId: string): Recording | null;
  /** Whether the disk has room for another recording. */
  hasRoom(): boolean;
  /** Number of platforms that are being recorded. */
  count(): number;
  begin(platform: PlatformOrder, cause: 'presence' | 'schedule', streams: readonly LiveStream[]): void;
  add(recording: Recording, streams: readonly LiveStream[]): void;
  end(recording: Recording, reason: string): void;
  /**
   * Platforms whose recording was ended by a user or by a full disk. They are not recorded again until the rule's
   * reason to record them has ended.
   */
  holds: Pick<Set<string>, 'has' | 'add' | 'delete'>;
  nowUs(): number;
  nowMs(): number;
};

/** Begins and ends recordings by presence and by schedule, according to the settings of each platform. */
export type Rules = {
  ordered(orders: Orders): void;
  /**
   * Called at start for a running recording. Its platform counts as online now, since it may have been online just
   * before the restart.
   */
  resumed(platformId: string): void;
  /** Called twice a second; applies the rules to each platform. */
  tick(): void;
};

export function createRules(deps: RulesDeps): Rules {
  let platforms: readonly PlatformOrder[] = [];
  let recordingsMax = Number.POSITIVE_INFINITY;
  /** Time when a sensor of each platform was last online, by the monotonic clock. */
  const seenMs = new Map<string, number>();

  function onlineOf(platform: PlatformOrder): LiveStream[] {
    return platform.sensors.flatMap(({ sensorId }) => {
      const stream = deps.streams.find(sensorId);
      return stream?.isOnline() ? [stream] : [];
    });
  }

  function attend(platform: PlatformOrder): void {
    const { platformId, record } = platform;
    const online = onlineOf(platform);
    if (online.length > 0) seenMs.set(platformId, deps.nowMs());
    const isDue = isScheduled(record.schedule, deps.nowUs());
    const isPresent = deps.nowMs() - (seenMs.get(platformId) ?? Number.NEGATIVE_INFINITY) < OFFLINE_END_MS;
    const isRequested = isDue || (record.onPresence && isPresent);
    if (!isRequested) deps.holds.delete(platformId);
    const running = deps.running(platformId);
    if (running === null) beginIf(platform, { isRequested, isDue, online });
    else if (running.cause !== 'manual') attendRunning(running, { isDue, isPresent, isRequested, online });
  }

  type Seen = { isDue: boolean; isPresent: boolean; isRequested: boolean; online: LiveStream[] };

  /** Begins a recording if it is due. A stream must be online, even when the schedule says to record. */
  function beginIf(platform: PlatformOrder, { isRequested, isDue, online }: Omit<Seen, 'isPresent'>): void {
    if (!isRequested || online.length === 0 || deps.holds.has(platform.platformId) || !deps.hasRoom()) return;
    if (deps.count() >= recordingsMax) return;
    deps.begin(platform, isDue ? 'schedule' : 'presence', online);
  }

  function attendRunning(running: Recording, { isDue, isPresent, isRequested, online }: Seen): void {
    const isOver = running.cause === 'presence' ? !isPresent && !isDue : !isRequested;
    if (isOver) {
      deps.end(running, running.cause === 'presence' ? 'stream ended' : 'schedule');
      return;
    }
    const missing = online.filter(
      ({ sensorId }) => !running.sensors.some(({ liveSensorId }) => liveSensorId === sensorId),
    );
    if (missing.length > 0) deps.add(running, missing);
  }

  return {
    ordered: (orders) => {
      // Platforms of higher priority come first, in case the number of recordings is limited.
      platforms = orders.platforms.toSorted((a, b) => a.priority - b.priority);
      recordingsMax = orders.recordingsMax ?? Number.POSITIVE_INFINITY;
    },
    resumed: (platformId) => {
      seenMs.set(platformId, deps.nowMs());
    },
    tick() {
      for (const platform of platforms) attend(platform);
    },
  };
}
