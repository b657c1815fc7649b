import type { GeoJSONSource } from 'maplibre-gl';
import type { Overlay } from '../map/overlay.ts';
import type { ShipDrawing } from './ship-feed.ts';
import type { MapTarget } from './ship-targets.ts';
import { texts } from './texts.ts';

type Kept = { targets: readonly MapTarget[]; selected: string | null; trail: Parameters<ShipDrawing['setTrail']>[0] };

/** Ships as points over the map; pressing one chooses it. */
export function createShipsOverlay(onSelect: (id: string | null) => void): { overlay: Overlay; drawing: ShipDrawing } {
  const kept: Kept = { targets: [], selected: null, trail: [] };
  let redraw: () => void = () => undefined;
  const drawing: ShipDrawing = {
    set(targets) {
      kept.targets = targets;
      redraw();
    },
    select(id) {
      kept.selected = id;
      redraw();
    },
    setTrail(points) {
      kept.trail = points;
      redraw();
    },
  };
  const overlay: Overlay = {
    id: 'ships',
    title: texts.map.ships,
    group: texts.map.group,
    start({ map, below }) {
      map.addSource('ships', { type: 'geojson', data: collection([]) as never });
      map.addSource('ship-trail', { type: 'geojson', data: collection([]) as never });
      map.addLayer({ id: 'ship-trail', type: 'line', source: 'ship-trail', paint: { 'line-width': 2 } }, below);
      map.addLayer({ id: 'ships', type: 'circle', source: 'ships', paint: { 'circle-radius': 4 } }, below);
      redraw = () => {
        (map.getSource('ships') as GeoJSONSource | undefined)?.setData(collection(kept.targets.map(pointOf)) as never);
        (map.getSource('ship-trail') as GeoJSONSource | undefined)?.setData(collection(linesOf(kept.trail)) as never);
      };
      redraw();
      const onClick = (event: { features?: { properties: { id?: unknown } }[] }) => {
        const id = event.features?.[0]?.properties.id;
        if (typeof id === 'string') onSelect(id);
      };
      map.on('click', 'ships', onClick as never);
      return {
        show(shown) {
          for (const layer of ['ships', 'ship-trail'])
            map.setLayoutProperty(layer, 'visibility', shown ? 'visible' : 'none');
        },
        paint({ text, chosen }) {
          map.setPaintProperty('ships', 'circle-color', text);
          map.setPaintProperty('ship-trail', 'line-color', chosen);
        },
        stop() {
          redraw = () => undefined;
          map.off('click', 'ships', onClick as never);
          for (const layer of ['ships', 'ship-trail']) map.removeLayer(layer);
          for (const source of ['ships', 'ship-trail']) map.removeSource(source);
        },
      };
    },
  };
  return { overlay, drawing };
}

const collection = (features: object[]) => ({ type: 'FeatureCollection', features });

const pointOf = ({ id, longitude, latitude }: MapTarget) => ({
  type: 'Feature',
  properties: { id },
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
});

function linesOf(trail: Kept['trail']): object[] {
  const lines: [number, number][][] = [[]];
  for (const point of trail) {
    if (point === null) lines.push([]);
    else lines.at(-1)!.push([point.longitude, point.latitude]);
  }
  return lines
    .filter((line) => line.length > 1)
    .map((coordinates) => ({ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } }));
}
