import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** First parts of the keys of queries about one sensor; the second part is the sensor's id. */
const sensorNouns: ReadonlySet<unknown> = new Set(['telemetry', 'timeline', 'health', 'pictures', 'path', 'points']);

function sensorIds(queries: QueryClient, missionIds: readonly string[]): Set<unknown> {
  const sensors = missionIds.flatMap((id) => queries.getQueryData<{ _id: string }[]>(['sensors', id]) ?? []);
  return new Set(sensors.map(({ _id }) => _id));
}

/** Whether a query is about one of these missions or their sensors; lists are not. */
function isAbout(key: QueryKey, missionIds: readonly string[], sensors: ReadonlySet<unknown>): boolean {
  const [noun, what, id] = key;
  if (noun === 'missions') return what !== 'list' && missionIds.includes(String(id));
  if (noun === 'sensors') return missionIds.includes(String(what));
  return sensorNouns.has(noun) && sensors.has(what);
}

/**
 * Missions changed: what was read about them is read again. Lists of missions are mended row by row in
 * missions/useMissions.ts, so that a table scrolled through thousands is not read again for each step of a job.
 */
export function missionsChanged(queries: QueryClient, ids: readonly string[]): void {
  const sensors = sensorIds(queries, ids);
  void queries.invalidateQueries({
    // Telemetry of a minute never changes once it was read; only the newest minutes of a growing sensor do.
    predicate: ({ queryKey }) => isAbout(queryKey, ids, sensors),
  });
  void queries.invalidateQueries({ queryKey: ['jobs'] });
  void queries.invalidateQueries({ queryKey: ['tags'] });
}

/** Rights are gone: nothing of these missions stays in memory. */
export function missionsRevoked(queries: QueryClient, ids: readonly string[]): void {
  const sensors = sensorIds(queries, ids);
  queries.removeQueries({ predicate: ({ queryKey }) => isAbout(queryKey, ids, sensors) });
}

/** What the server tells of when it changes, lists of missions aside. */
const toldNouns = [
  'backups',
  'dashboard',
  'documents',
  'jobs',
  'licence',
  'platforms',
  'sessions',
  'usergroups',
  'users',
];

/** The first connection came after the first lists were asked for: what changed in between was told to nobody. */
export function listsMayHaveChanged(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ['missions', 'list'] });
  for (const noun of toldNouns) void queries.invalidateQueries({ queryKey: [noun] });
}

/** After a reconnect nobody knows what changed meanwhile. */
export function everythingChanged(queries: QueryClient): void {
  void queries.invalidateQueries();
}
