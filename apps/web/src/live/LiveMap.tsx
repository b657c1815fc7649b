import { useContext, useMemo, useRef } from 'react';
import { MapPane } from '../map/MapPane.tsx';
import { landOverlay, namesOverlay } from '../map/overlays/base-overlays.ts';
import { graticuleOverlay } from '../map/overlays/graticule-overlay.ts';
import { useSiteOverlays } from '../map/overlays/useSiteOverlays.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import type { Fleet } from './fleet.ts';
import { fleetOverlay } from './fleet-overlay.ts';

type Props = { fleet: Fleet; onSelect: (platformId: string) => void };

/** Map of all live platforms. */
export function LiveMap({ fleet, onSelect }: Props) {
  const select = useRef(onSelect);
  select.current = onSelect;
  const site = useSiteOverlays();
  const added = useContext(PageOverlays);
  const platforms = useMemo(() => fleetOverlay({ fleet, onSelect: (id) => select.current(id) }), [fleet]);
  const overlays = useMemo(
    () => [landOverlay, namesOverlay, ...site, graticuleOverlay, platforms, ...added],
    [site, platforms, added],
  );
  return <MapPane overlays={overlays} />;
}
