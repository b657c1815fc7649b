import { type AisTarget, aisEvent, listAisTargets } from '@osprey/contract';
import { REPORT_AGE_MAX_S } from '@osprey/geo';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { useServerEvent } from '../../events/events.ts';
import { type AisFilter, toQuery } from '../ais-filter.ts';
import { LEAST_MS, POLL_MS, useThrottled } from '../useAisTargets.ts';

/** For the past, a ship is asked for again in steps of this much of the mission clock. */
const STEP_US = 15e6;

/** The shown ships: of which receivers, and at which moment of the mission clock. Null: as they were heard last. */
export type ShipScope = { filter: AisFilter; clockUs: number | null };

/** Positions of the past are searched no further back than a report is carried forward. */
export const minutesBack = ({ filter: { retention }, clockUs }: ShipScope): number =>
  clockUs === null ? retention : Math.min(retention, REPORT_AGE_MAX_S / 60);

/** The query for ships of a moment: of now their last state, of the past the last position of the step. */
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
 * Reads the last report of one ship, at most one step after the moment, and again at each event; null if none was
 * heard.
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
  const readAgain = useThrottled(() => void listed.refetch({ cancelRefetch: false }), LEAST_MS);
  useServerEvent(aisEvent, () => {
    if (mmsi !== null && clockUs === null) readAgain();
  });
  return listed;
}

/** Ships in sight that fit what is typed, each once. */
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
