import type { Orders, PlatformOrder, Recording } from '../../recorder-wire/protocol.ts';
import type { LiveStream, LiveStreams } from '../parts.ts';
import { isScheduled } from './schedule.ts';

/** A recording that a rule began ends when its platform was away for this time. */
const AWAY_MS = 60_000;

export type RulesDeps = {
  streams: Pick<LiveStreams, 'find'>;
  /** The running recording of a platform. */
  running(platformId: string): Recording | null;
  /** Whether one more recording may begin. */
  hasRoom(): boolean;
  /** Platforms that are being recorded. */
  count(): number;
  begin(platform: PlatformOrder, cause: 'presence' | 'schedule', streams: readonly LiveStream[]): void;
  add(recording: Recording, streams: readonly LiveStream[]): void;
  end(recording: Recording, reason: string): void;
  /** Platforms whose recording a user or a full disk ended: not again before its reason has passed. */
  holds: Pick<Set<string>, 'has' | 'add' | 'delete'>;
  nowUs(): number;
  nowMs(): number;
};

/** Begins and ends recordings by presence and by the clock, as their platforms want it. */
export type Rules = {
  ordered(orders: Orders): void;
  /** At the start of the recorder: the platform may have been there a moment ago, and counts as seen now. */
  resumed(platformId: string): void;
  /** Twice a second. */
  tick(): void;
};

export function createRules(deps: RulesDeps): Rules {
  let platforms: readonly PlatformOrder[] = [];
  let recordingsMax = Number.POSITIVE_INFINITY;
  /** When a sensor of the platform was online last, on the monotonic clock. */
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
    const isPresent = deps.nowMs() - (seenMs.get(platformId) ?? Number.NEGATIVE_INFINITY) < AWAY_MS;
    const isRequested = isDue || (record.onPresence && isPresent);
    if (!isRequested) deps.holds.delete(platformId);
    const running = deps.running(platformId);
    if (running === null) beginIf(platform, { isRequested, isDue, online });
    else if (running.cause !== 'manual') attendRunning(running, { isDue, isPresent, isRequested, online });
  }

  type Seen = { isDue: boolean; isPresent: boolean; isRequested: boolean; online: LiveStream[] };

  /** Without a picture there is nothing to begin with, also when the hour has come. */
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
      // Where not all may be recorded, those that matter most are.
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
