import type { Map as MapLibreMap } from 'maplibre-gl';
import { targetPlace } from '../onscreen/target-place.ts';

const SIDE_PX = 20;

/** Marks the queried place on a map with the same ring that marks it on pictures. */
export function markTarget(map: Pick<MapLibreMap, 'on' | 'project' | 'getCenter' | 'getCanvasContainer'>): void {
  const ring = document.createElement('div');
  ring.dataset.part = 'sought-place';
  ring.ariaHidden = 'true';
  Object.assign(ring.style, {
    ...{ position: 'absolute', left: `${-SIDE_PX / 2}px`, top: `${-SIDE_PX / 2}px`, pointerEvents: 'none' },
    ...{ width: `${SIDE_PX}px`, height: `${SIDE_PX}px`, boxSizing: 'border-box', borderRadius: '50%' },
    // A light line between dark ones is visible on any background.
    ...{ border: '2px solid #ffffff', boxShadow: '0 0 0 1.5px #000000, inset 0 0 0 1.5px #000000' },
  });
  map.getCanvasContainer().append(ring);

  function place(): void {
    const target = targetPlace.get();
    ring.style.display = target ? '' : 'none';
    if (!target) return;
    // Number of full turns to the copy of the world that the map shows, since the world repeats to the east and west.
    const turns = Math.round((map.getCenter().lng - target.lon) / 360);
    const { x, y } = map.project([target.lon + 360 * turns, target.lat]);
    ring.style.transform = `translate(${x}px, ${y}px)`;
  }

  place();
  map.on('move', place);
  map.on('resize', place);
  map.on('remove', targetPlace.subscribe(place));
}
