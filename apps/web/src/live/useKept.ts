import { type Mission, planLiveExport } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { useLiveServices } from './useLiveServices.ts';
import type { Watched } from './watched.ts';

/**
 * Interval in milliseconds at which the range is read again. The ring buffer moves on with time; a page may offer video
 * that was just dropped for up to this long.
 */
const ASK_MS = 20_000;

/**
 * Returns the time since when the server has buffered pictures of a stream: the start of its recording, or otherwise
 * the start of the ring buffer. Null if nothing is buffered, and for guests, who may not export it.
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

/** Sets the range of the clock that can be rewound. `mission`: the mission into which the stream is recorded. */
export function useKept(led: Watched | null, mission: Mission | null): void {
  const { clock } = useLiveServices();
  const since = useKeptSince(led, mission);
  useEffect(() => clock.setKept(since), [clock, since]);
}
