import type { AccessFacts, LivePlatform, LiveSensor } from '@osprey/contract';
import { type Sorting, sortedBy } from '../ui/table/data-table.ts';
import { matches, type PlatformFilter } from './filter.ts';

/** A row of the table: a platform, or one of its sensors below it. `readAtMs`: time at which the counters were read. */
export type Row =
  | { kind: 'platform'; platform: LivePlatform; readAtMs: number }
  | { kind: 'sensor'; platform: LivePlatform; sensor: LiveSensor; readAtMs: number };

export const itemOf = (row: Row): LivePlatform | LiveSensor => (row.kind === 'platform' ? row.platform : row.sensor);

export function rowsOf(platforms: readonly LivePlatform[], expanded: ReadonlySet<string>, readAtMs: number): Row[] {
  return platforms.flatMap((platform) => [
    { kind: 'platform' as const, platform, readAtMs },
    ...(expanded.has(platform._id)
      ? platform.sensors.map((sensor) => ({ kind: 'sensor' as const, platform, sensor, readAtMs }))
      : []),
  ]);
}

export const factsOf = (platform: LivePlatform): AccessFacts => ({
  securityClassification: platform.securityClassification,
  audience: platform.audience,
  usergroups: platform.usergroups,
  draft: false,
});

type Recorded = Pick<LivePlatform, 'live' | 'state' | 'recordingStartTime' | 'duration'>;

/**
 * Returns the seconds recorded so far: the server's count plus the time since, if the stream is present. Null: nothing
 * is recorded.
 */
export function recordedSeconds(item: Recorded, readAtMs: number, nowMs: number): number | null {
  const { live, state, recordingStartTime, duration } = item;
  if (duration === null) return live && recordingStartTime !== null ? nowMs / 1000 - recordingStartTime / 1e6 : null;
  const grows = live && (state === 'online' || state === 'partial');
  return grows ? duration + Math.max(0, nowMs - readAtMs) / 1000 : duration;
}

const compared: Record<string, (platform: LivePlatform) => string | number> = {
  state: ({ state }) => ['online', 'partial', 'lost', 'offline', 'unknown'].indexOf(state),
  rec: ({ live }) => (live ? 0 : 1),
  name: ({ name }) => name.toLowerCase(),
  description: ({ description }) => description.toLowerCase(),
  type: ({ type }) => type,
  startTime: ({ recordingStartTime }) => recordingStartTime ?? 0,
  duration: ({ duration }) => duration ?? 0,
  segments: ({ segments }) => segments ?? 0,
  size: ({ sizeBytes }) => sizeBytes ?? 0,
};

/** Filters and sorts the platforms in the browser, since there are only few. */
export function arranged(platforms: readonly LivePlatform[], filter: PlatformFilter, sorting: Sorting): LivePlatform[] {
  const found = platforms.filter((platform) => matches(filter, platform));
  const orderOf = compared[sorting.column];
  return orderOf === undefined ? found : sortedBy(found, orderOf, sorting.descending);
}
