import { type Mission, planLiveExport } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { useLiveServices } from './useLiveServices.ts';
import type { Watched } from './watched.ts';

/** The ring moves on with time; a page that lags behind it by this much shows what is gone for as long. */
const ASK_MS = 20_000;

/**
 * Since when the server keeps pictures of a stream: the beginning of its recording, else what the ring holds. Null where
 * nothing is kept, and for guests, who may not export it.
 */
function useKeptSince(led: Watched | null, mission: Mission | null): number | null {
  const api = useApi();
  const { role } = useActor();
  const { sensor } = led ?? {};
  const isRecorded = sensor?.live === true;
  const { data: plan } = useQuery({
    queryKey: ['live', 'kept', sensor?._id, sensor?.startTime],
    queryFn: ({ signal }) => api.call(planLiveExport, { params: { sensor: sensor!._id } }, { signal }),
    enabled: sensor !== undefined && !isRecorded && sensor.state === 'online' && role !== 'guest',
    refetchInterval: ASK_MS,
    retry: false,
  });
  return isRecorded ? (mission?.startTime ?? null) : (plan?.startTime ?? null);
}

/** Lets the clock know what can be wound back over. `mission`: the one that the stream is recorded into. */
export function useKept(led: Watched | null, mission: Mission | null): void {
  const { clock } = useLiveServices();
  const since = useKeptSince(led, mission);
  useEffect(() => clock.setKept(since), [clock, since]);
}
