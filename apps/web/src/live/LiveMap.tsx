import { useCallback, useRef } from 'react';
import { MapPane } from '../map/MapPane.tsx';
import type { LayerDeps } from '../map/useFrameMap.ts';
import type { Fleet } from './fleet.ts';

type Props = { fleet: Fleet; onSelect: (platformId: string) => void };

/** Nothing of a recording is drawn here; the colours are those of the platforms. */
const NO_COLOUR = '#8E9BFF';

/** All live platforms on one map. */
export function LiveMap({ fleet, onSelect }: Props) {
  const select = useRef(onSelect);
  select.current = onSelect;
  const startLayer = useCallback(
    async (deps: LayerDeps) =>
      (await import('./fleet-layer.ts')).createFleetLayer({ ...deps, fleet, onSelect: (id) => select.current(id) }),
    [fleet],
  );
  return <MapPane startLayer={startLayer} colour={NO_COLOUR} mission={null} />;
}
