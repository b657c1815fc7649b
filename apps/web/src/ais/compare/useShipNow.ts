import { type AisTarget, aisEvent, listAisTargets } from '@osprey/contract';
import { REPORT_AGE_MAX_S } from '@osprey/geo';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { useServerEvent } from '../../events/events.ts';
import { type AisFilter, toQuery } from '../ais-filter.ts';
import { POLL_MS, REQUEST_INTERVAL_MS, useThrottled } from '../useAisTargets.ts';

/** Step of the mission clock, in microseconds, after which a past state of a ship is requested again. */
const STEP_US = 15e6;

/**
 * Scope in which ships are looked up: `filter` limits the ships and receivers, `clockUs` is the time of the mission
 * clock; null: the latest reports are used.
 */
export type ShipScope = { filter: AisFilter; clockUs: number | null };

/**
 * Number of minutes before the mission clock that are searched for positions: no more than the time for which a report
 * is extrapolated.
 */
export const minutesBack = ({ filter: { retention }, clockUs }: ShipScope): number =>
  clockUs === null ? retention : Math.min(retention, REPORT_AGE_MAX_S / 60);

/**
 * Returns the query for the ships at a time: their latest state for the present, or their last position within the step
 * for a time of the mission clock.
 */
function queryOf({ filter, clockUs }: ShipScope, search: string) {
  if (clockUs === null)
    return { ...toQuery({ ...filter, mode: 'last' }, search, Date.now() * 1000), info: '1' as const };
  const start = String(Math.round(clockUs - minutesBack({ filter, clockUs }) * 60e6));
  const { aisType, mission } = filter;
  const recorded = mission === null ? {} : { mission: mission.id };
  return { mode: 'all', aisType, search, start, end: String(clockUs + STEP_US), info: '1', ...recorded } as const;
}

const stepOf = (clockUs: number | null) => (clockUs === null ? null : Math.floor(clockUs / STEP_US) * STEP_US);

const keyOf = ({ filter }: ShipScope, clockUs: number | null) => {
  const { retention, mission, start, end, aisType } = filter;
  return { retention, mission: mission?.id ?? null, start, end, aisType, clockUs };
};

/**
 * Reads the last report of one ship, at most one step after the time in the scope. Repeats this at each event. The
 * result is null if no report was received.
 */
export function useShipNow(mmsi: number | null, scope: ShipScope) {
  const api = useApi();
  const clockUs = stepOf(scope.clockUs);
  const listed = useQuery({
    queryKey: ['ais', 'compared', mmsi, keyOf(scope, clockUs)],
    enabled: mmsi !== null,
    placeholderData: (before: AisTarget | null | undefined) => (before?.mmsi === mmsi ? before : undefined),
    refetchInterval: clockUs === null ? POLL_MS : false,
    queryFn: async ({ signal }) => {
      const query = { ...queryOf({ ...scope, clockUs }, String(mmsi)), limit: '20', sort: '-timestamp' as const };
      const rows = await api.call(listAisTargets, { query }, { signal });
      return rows.find((row) => row.mmsi === mmsi) ?? null;
    },
  });
  const readAgain = useThrottled(() => void listed.refetch({ cancelRefetch: false }), REQUEST_INTERVAL_MS);
  useServerEvent(aisEvent, () => {
    if (mmsi !== null && clockUs === null) readAgain();
  });
  return listed;
}

/** Returns the ships in the scope that match the search text, each once. */
export function useShipsInScope(search: string, scope: ShipScope, requested: boolean) {
  const api = useApi();
  const clockUs = stepOf(scope.clockUs);
  return useQuery({
    queryKey: ['ais', 'insight', search, keyOf(scope, clockUs)],
    enabled: requested,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { search: _none, ...rest } = queryOf({ ...scope, clockUs }, search);
      const query = { ...rest, ...(search !== '' && { search }), limit: '100', sort: '-timestamp' as const };
      const rows = await api.call(listAisTargets, { query }, { signal });
      return [...new Map(rows.toReversed().map((row) => [row.mmsi, row])).values()].toReversed();
    },
  });
}
