import type { Scheme } from '../../base/colours.ts';
import { setAttributes, show, svgElement } from '../../map/overlays/svg.ts';
import type { ShownFrame } from '../../onscreen/frames.ts';
import { unheardTargets } from '../video/unheard-targets.ts';

/** Muted red, the colour in which the picture shows "no AIS". */
const INK = { dark: '#FF9E94', light: '#B3382C' } as const satisfies Record<Scheme, string>;
const HALF_PX = 6;

type Place = { latitude: number; longitude: number };

/** Creates empty squares around moving targets of the video to which no AIS ship corresponds. */
export function createUnheardSquares() {
  const element = svgElement('path', { fill: 'none', 'stroke-width': 1.5, 'data-part': 'no-ais' });
  const places = new Map<string, Place[]>();
  return {
    element,
    paint: (scheme: Scheme) => setAttributes(element, { stroke: INK[scheme] }),
    take({ sensorId, targets }: Pick<ShownFrame, 'sensorId' | 'targets'>): void {
      const unheard = unheardTargets.of(sensorId);
      const own = targets.flatMap(({ id, place }) =>
        place === null || !unheard.has(id) ? [] : [{ latitude: place.lat, longitude: place.lon }],
      );
      if (own.length === 0) places.delete(sensorId);
      else places.set(sensorId, own);
    },
    move(pixelOf: (place: Place) => { x: number; y: number }): void {
      const all = [...places.values()].flat();
      show(element, all.length > 0);
      if (all.length === 0) return;
      const squares = all.map((place) => {
        const { x, y } = pixelOf(place);
        return `M${(x - HALF_PX).toFixed(1)} ${(y - HALF_PX).toFixed(1)}h${2 * HALF_PX}v${2 * HALF_PX}h${-2 * HALF_PX}Z`;
      });
      setAttributes(element, { d: squares.join('') });
    },
  };
}
