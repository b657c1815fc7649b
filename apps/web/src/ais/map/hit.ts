import type { Map as MapLibreMap } from 'maplibre-gl';
import type { MapTarget } from './targets.ts';

/** Pixels from the middle of a symbol that still hit it; more for a finger. */
const MOUSE_PX = 11;
const FINGER_PX = 24;

/** The nearest target to a place on the map, in reach of a mouse or a finger; null if there is none. */
export function targetAt(
  map: MapLibreMap,
  targets: readonly MapTarget[],
  { x, y }: { x: number; y: number },
  isFinger: boolean,
): MapTarget | null {
  const reach = isFinger ? FINGER_PX : MOUSE_PX;
  // Least number of pixels of a degree: most targets are ruled out by it, without a projection.
  const at = map.unproject([x, y]);
  const edge = map.unproject([x + reach, y]);
  const side = map.unproject([x, y + reach]);
  const degrees = Math.hypot(edge.lng - at.lng, edge.lat - at.lat) + Math.hypot(side.lng - at.lng, side.lat - at.lat);
  let best: MapTarget | null = null;
  let bestPx = reach;
  for (const target of targets) {
    const turns = Math.round((at.lng - target.longitude) / 360);
    const lng = target.longitude + turns * 360;
    if (Math.abs(target.latitude - at.lat) > degrees || Math.abs(lng - at.lng) > degrees) continue;
    const pixel = map.project([lng, target.latitude]);
    const away = Math.hypot(pixel.x - x, pixel.y - y);
    if (away > bestPx) continue;
    best = target;
    bestPx = away;
  }
  return best;
}
