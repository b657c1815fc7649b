import type { QueryClient } from '@tanstack/react-query';
import { itemOf, missionBySensor } from './about.ts';
import { forgetUnseen } from './revoked.ts';

/**
 * Missions changed: what was read about them is read again. Lists of missions are mended row by row in
 * missions/useMissions.ts, so that a table scrolled through thousands is not read again for each step of a job.
 */
export function missionsChanged(queries: QueryClient, ids: readonly string[]): void {
  const missions = missionBySensor(queries);
  void queries.invalidateQueries({
    // Telemetry of a minute never changes once it was read; only the newest minutes of a growing sensor do.
    predicate: ({ queryKey }) => {
      const item = itemOf(queryKey, missions);
      return item?.noun === 'missions' && ids.includes(item.id);
    },
  });
  void queries.invalidateQueries({ queryKey: ['jobs'] });
  void queries.invalidateQueries({ queryKey: ['tags'] });
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
  for (const what of ['list', 'one']) void queries.invalidateQueries({ queryKey: ['missions', what] });
  for (const noun of toldNouns) void queries.invalidateQueries({ queryKey: [noun] });
}

/** After a reconnect nobody knows what changed meanwhile, nor which rights are gone. */
export function everythingChanged(queries: QueryClient): void {
  forgetUnseen(queries);
  void queries.invalidateQueries();
}
