import type { Map as MapLibreMap } from 'maplibre-gl';
import type { MapTarget } from './targets.ts';

/** Maximum distance in pixels from the middle of a symbol at which it is hit, for a mouse; below, for a finger. */
const MOUSE_PX = 11;
const FINGER_PX = 24;

/**
 * Returns the target that is nearest to a point on the map, within reach of a mouse or a finger; null if there is none.
 */
export function targetAt(
  map: MapLibreMap,
  targets: readonly MapTarget[],
  { x, y }: { x: number; y: number },
  isFinger: boolean,
): MapTarget | null {
  const reach = isFinger ? FINGER_PX : MOUSE_PX;
  // Convert the reach to degrees, at least as large as in any direction, so that most targets are ruled out without
  // projecting them.
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
