import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useApi } from '../api/api.ts';
import { useSession } from '../api/session.ts';
import { useEvents } from '../events/events.ts';
import type { Overlay } from '../map/overlay.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import { createSignal } from '../onscreen/signal.ts';
import type { AisFilter } from './ais-filter.ts';
import { shipsOverlay } from './map/ships-overlay.ts';
import { createMapTargets } from './map/targets.ts';
import { type ChosenShip, ShipsContext } from './ships.ts';
import { useAisFilter } from './useAisFilter.ts';

type Props = {
  /**
   * `live`: ships as they are now, or at the end of the filter's time range; `clock`: ships as they were at the time of
   * the mission clock.
   */
  mode: 'live' | 'clock';
  /** Whether to show the ships of all receivers, ignoring the mission in the filter. */
  all?: boolean;
  children: ReactNode;
};

/**
 * Provides the state that the ship table and the map of this page share. If AIS is in use, the map also gets the
 * overlays that show the ships.
 */
export function ShipsOfPage({ mode, all = false, children }: Props) {
  const { filter: stored, change } = useAisFilter();
  const filter = useMemo(() => (all ? { ...stored, mission: null } : stored), [all, stored]);
  const [chosen, choose] = useState<ChosenShip | null>(null);
  const isOffered = useSession().info?.useAis === true;
  const own = useShipOverlays({ mode, finds: all, filter, change, chosen, choose });
  const others = useContext(PageOverlays);
  const overlays = useMemo(() => (isOffered ? [...others, ...own] : others), [isOffered, others, own]);
  const ships = useMemo(() => ({ filter, change, chosen, choose }), [filter, change, chosen]);
  return (
    <ShipsContext value={ships}>
      <PageOverlays value={overlays}>{children}</PageOverlays>
    </ShipsContext>
  );
}

type Shared = {
  mode: Props['mode'];
  finds: boolean;
  filter: AisFilter;
  change: (part: Partial<AisFilter>) => void;
  chosen: ChosenShip | null;
  choose: (ship: ChosenShip | null) => void;
};

/**
 * Returns the ship overlays. They are created only once for the page; changes of the filter and of the chosen ship
 * reach them through signals.
 */
function useShipOverlays({ mode, finds, filter, change, chosen, choose }: Shared): readonly Overlay[] {
  const api = useApi();
  const queries = useQueryClient();
  const { bus, viewShips } = useEvents();
  const [signals] = useState(() => ({ filter: createSignal(filter), chosen: createSignal(chosen) }));
  useEffect(() => signals.filter.set(filter), [signals, filter]);
  useEffect(() => signals.chosen.set(chosen), [signals, chosen]);
  return useMemo(() => {
    const targets = createMapTargets();
    // Time of the ships that are shown. It may be in the past, since the mission clock may be paused or a time range
    // may have ended; vectors and ages must refer to this time, not to the present.
    let shownUs: number | null = null;
    const isNow = () => mode === 'live' && signals.filter.get().end === null;
    const overlay = shipsOverlay({
      targets,
      onSelect: (id) => choose(id === null ? null : { mmsi: Number(id), place: null }),
      nowUs: () => (isNow() ? Date.now() * 1000 : (shownUs ?? Date.now() * 1000)),
    });
    const showing = (timeUs: number) => {
      shownUs = timeUs;
    };
    const feed: Overlay = {
      id: 'ships-feed',
      switches: [],
      async start({ map, services, still }) {
        const { startShipFeed } = await still(import('./ship-feed.ts'));
        const stop = startShipFeed(map, services, {
          api,
          bus,
          viewShips,
          drawing: targets,
          queries,
          dropList: () => change({ list: null }),
          showing,
          mode,
          finds,
          ...signals,
        });
        return { show: () => undefined, paint: () => undefined, stop };
      },
    };
    return [overlay, feed];
  }, [api, queries, bus, viewShips, mode, finds, signals, change, choose]);
}
