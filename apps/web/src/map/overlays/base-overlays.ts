import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import type { Scheme } from '../../base/colours.ts';
import { baseSourceOf, LAND_LAYERS, landLayers, paintLand } from '../base-map.ts';
import type { Overlay } from '../overlay.ts';
import { texts } from '../texts.ts';
import { NAME_LAYERS, nameLayers, paintNames } from './name-layers.ts';

type Part = {
  ids: readonly string[];
  layersOf: (scheme: Scheme, source: string) => LayerSpecification[];
  paint: (map: MapLibreMap, scheme: Scheme) => void;
};

const land: Part = { ids: LAND_LAYERS, layersOf: landLayers, paint: paintLand };
const names: Part = { ids: NAME_LAYERS, layersOf: nameLayers, paint: paintNames };

export const landOverlay: Overlay = { id: 'base', title: texts.layers.base, group: '', start: startPart(land) };
export const namesOverlay: Overlay = { id: 'names', title: texts.layers.names, group: '', start: startPart(names) };

/** Land and names come from one source, which stays as long as the map: either may be shown without the other. */
function startPart({ ids, layersOf, paint }: Part): Overlay['start'] {
  return ({ map, below }) => {
    for (const layer of layersOf('dark', baseSourceOf(map))) map.addLayer(layer, below);
    return {
      show(shown) {
        for (const id of ids) map.setLayoutProperty(id, 'visibility', shown ? 'visible' : 'none');
      },
      paint: ({ scheme }) => paint(map, scheme),
      stop() {
        for (const id of ids) map.removeLayer(id);
      },
    };
  };
}
