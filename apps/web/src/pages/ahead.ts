import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../api/api.ts';
import { storedCredentials } from '../api/credentials.ts';
import { arriving } from '../base/quiet.ts';
import { timeOf } from '../base/time-of.ts';
import { loadHls } from '../player/hls/load-hls.ts';
import { openAhead } from '../player/open-queries.ts';
import { later } from '../ui/later.tsx';

export const MissionView = later(async () => (await import('./MarkedMissionView.tsx')).loadMissionView());

/** Paths that show the missions page, which reports itself when it is drawn. */
const TO_MISSIONS = new Set(['/', '/missions']);

/** Longer than this nothing waits for the pictures. */
const PICTURES_MS = 250;

/**
 * Fetches the data that an address with a mission needs while the code of its page comes: otherwise each would wait for
 * the one before it. Failed requests are repeated when the page is drawn. Resolves when the page is to be drawn: with
 * the first pictures on their way, which a browser that is busy drawing would ask for only later.
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
  // An unknown account, such as a guest on the first visit, could not read it.
  if (!storedCredentials()) return;
  const opened = openAhead(deps, { missionId, sensorId: query.get('sensor'), timeUs: timeOf(query.get('t')) });
  await Promise.race([opened.catch(nothing), new Promise((resolve) => setTimeout(resolve, PICTURES_MS))]);
}
