import type { SharedView } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { mapLocked } from '../../map/locked.ts';

/** Keeps the view of a map equal to the leader's. This ends when the user moves the map. */
export function followMap(map: MapLibreMap, onOwnWay: () => void) {
  const onMoved = (event: { originalEvent?: unknown }) => {
    if (event.originalEvent) onOwnWay();
  };
  const byHand = ['dragstart', 'zoomstart', 'rotatestart', 'pitchstart'] as const;
  for (const name of byHand) map.on(name, onMoved);
  return {
    show(view: SharedView['map']): void {
      // If the leader shows no map, the followers can move theirs freely.
      mapLocked.set(view !== null);
      if (view !== null) map.jumpTo(view);
    },
    stop(): void {
      mapLocked.set(false);
      for (const name of byHand) map.off(name, onMoved);
    },
  };
}
