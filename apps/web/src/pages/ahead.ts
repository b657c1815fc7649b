import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../api/api.ts';
import { storedCredentials } from '../api/credentials.ts';
import { arriving } from '../base/quiet.ts';
import { timeOf } from '../base/time-of.ts';
import { loadHls } from '../player/hls/load-hls.ts';
import { openAhead } from '../player/open-queries.ts';
import { later } from '../ui/later.tsx';

export const MissionView = later(async () => (await import('./MarkedMissionView.tsx')).loadMissionView());

/** Paths of the missions page, which calls `arrived` by itself once it is rendered. */
const TO_MISSIONS = new Set(['/', '/missions']);

/** Maximum wait for the pictures, in milliseconds. */
const PICTURES_MS = 250;

/**
 * Fetches the data needed by an address with a mission while the code of its page loads; otherwise the requests would
 * wait for each other. Failed requests are repeated when the page is rendered. Resolves when the page should be
 * rendered: once the first pictures have been requested, which a browser busy with rendering would do only later.
 */
export async function fetchAhead(address: URL, deps: { api: Api; queries: QueryClient }): Promise<void> {
  if (!TO_MISSIONS.has(address.pathname)) return;
  arriving();
  const query = address.searchParams;
  const missionId = query.get('mission');
  if (!missionId) return;
  const nothing = () => undefined;
  loadHls().catch(nothing);
  MissionView.load().catch(nothing);
  // Without stored credentials, such as for a guest on the first visit, the data could not be read.
  if (!storedCredentials()) return;
  const opened = openAhead(deps, { missionId, sensorId: query.get('sensor'), timeUs: timeOf(query.get('t')) });
  await Promise.race([opened.catch(nothing), new Promise((resolve) => setTimeout(resolve, PICTURES_MS))]);
}
