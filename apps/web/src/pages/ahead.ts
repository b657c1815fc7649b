import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../api/api.ts';
import { storedCredentials } from '../api/credentials.ts';
import { loadHls } from '../player/loadHls.ts';
import { openAhead } from '../player/openQueries.ts';
import { later } from '../ui/later.tsx';
import { timeOf } from '../ui/query-filter.ts';

export const MissionView = later(async () => (await import('../missionview/MissionView.tsx')).MissionView);

/**
 * Fetches what an address that names a mission needs beside the code of its page: otherwise each would wait for the one before
 * it. What cannot be fetched now is asked for again when it is drawn.
 */
export function fetchAhead(address: URL, deps: { api: Api; queries: QueryClient }): void {
  const query = address.searchParams;
  const missionId = query.get('mission');
  if (!missionId) return;
  const nothing = () => undefined;
  MissionView.load().catch(nothing);
  loadHls().catch(nothing);
  // Who is not known yet, as a guest on the first visit, could not read it.
  if (!storedCredentials()) return;
  openAhead(deps, { missionId, sensorId: query.get('sensor'), timeUs: timeOf(query.get('t')) }).catch(nothing);
}
