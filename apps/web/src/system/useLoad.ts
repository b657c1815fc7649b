import { useQuery } from '@tanstack/react-query';
import { authorizationHeader } from '../api/credentials.ts';
import { errorOf } from '../api/http-api.ts';
import { type LoadSample, readMetrics } from './load.ts';

const POLL_MS = 10_000;
/** The first samples come quickly: rates need two, and a curve two rates. */
const FIRST_POLL_MS = 2000;
const FIRST_SAMPLES = 6;

/** Maximum time range of the charts, in milliseconds; they start when the page is opened. */
export const COURSE_MS = 10 * 60_000;

const key = ['metrics'];

/** Returns the metrics of the server since the page was opened; null until the first answer. */
export function useLoad(): readonly LoadSample[] | null {
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ client, signal }) => {
      const before = client.getQueryData<LoadSample[]>(key) ?? [];
      const now = await sample(signal);
      return [...before.filter(({ atMs }) => now.atMs - atMs <= COURSE_MS), now];
    },
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) < FIRST_SAMPLES ? FIRST_POLL_MS : POLL_MS),
    structuralSharing: false,
  });
  return data ?? null;
}

/** Reads the same metrics as Prometheus; they are not part of the API. */
async function sample(signal: AbortSignal): Promise<LoadSample> {
  const response = await fetch('/metrics', {
    signal,
    headers: authorizationHeader(),
  });
  if (!response.ok) throw await errorOf(response);
  return { atMs: Date.now(), metrics: readMetrics(await response.text()) };
}
