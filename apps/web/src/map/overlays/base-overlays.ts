import { baseSourceOf, landLayers, paintLand, refineLand, removeLand, showLand } from '../base-map.ts';
import type { Overlay } from '../overlay.ts';
import { texts } from '../texts.ts';
import { NAME_LAYERS, nameLayers, paintNames } from './name-layers.ts';

/**
 * Overlay of the land. Land and names come from the same source, which stays as long as the map: either of them can be
 * shown without the other.
 */
export const landOverlay: Overlay = {
  id: 'base',
  title: texts.layers.base,
  group: '',
  start({ map, below }) {
    for (const layer of landLayers('dark', baseSourceOf(map))) map.addLayer(layer, below);
    // If the finer coast cannot be loaded, the coarse land remains.
    refineLand(map, 'dark').catch(() => null);
    return {
      show: (shown) => showLand(map, shown),
      paint: ({ scheme }) => paintLand(map, scheme),
      stop: () => removeLand(map),
    };
  },
};

export const namesOverlay: Overlay = {
  id: 'names',
  title: texts.layers.names,
  group: '',
  start({ map, below }) {
    for (const layer of nameLayers('dark', baseSourceOf(map))) map.addLayer(layer, below);
    return {
      show(shown) {
        for (const id of NAME_LAYERS) map.setLayoutProperty(id, 'visibility', shown ? 'visible' : 'none');
      },
      paint: ({ scheme }) => paintNames(map, scheme),
      stop() {
        for (const id of NAME_LAYERS) map.removeLayer(id);
      },
    };
  },
};
