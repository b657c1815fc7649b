import type { SharedView } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { mapLocked } from '../../map/locked.ts';

/** Keeps a map equal to the leader's. Moving it by hand ends that. */
export function followMap(map: MapLibreMap, onOwnWay: () => void) {
  const onMoved = (event: { originalEvent?: unknown }) => {
    if (event.originalEvent) onOwnWay();
  };
  const byHand = ['dragstart', 'zoomstart', 'rotatestart', 'pitchstart'] as const;
  for (const name of byHand) map.on(name, onMoved);
  return {
    show(view: SharedView['map']): void {
      // A leader without a map leaves that of the others to them.
      mapLocked.set(view !== null);
      if (view !== null) map.jumpTo(view);
    },
    stop(): void {
      mapLocked.set(false);
      for (const name of byHand) map.off(name, onMoved);
    },
  };
}
