import type { Scheme } from '../../base/colours.ts';
import type { AreaPolygon } from '../draw/area.ts';
import type { DrawMode } from '../draw/drawing.ts';
import type { Overlay } from '../overlay.ts';

/** Overlay with which the user draws an area on the map, active as long as it is in the list of overlays. */
export const queryOverlay = (mode: DrawMode, onDrawn: (polygon: AreaPolygon) => void): Overlay => ({
  id: 'map-query',
  switches: [],
  async start({ map, still }) {
    const { attachDrawing } = await still(import('../draw/drawing.ts'));
    let drawn: AreaPolygon | null = null;
    const attach = (scheme: Scheme) => {
      const drawing = attachDrawing({
        map,
        scheme,
        onDrawn(polygon) {
          drawn = polygon;
          onDrawn(polygon);
        },
      });
      drawing.setMode(mode);
      drawing.show(drawn);
      return { scheme, drawing };
    };
    let now: ReturnType<typeof attach> | null = null;
    return {
      show: () => undefined,
      paint({ scheme }) {
        if (now?.scheme === scheme) return;
        now?.drawing.detach();
        now = attach(scheme);
      },
      stop: () => now?.drawing.detach(),
    };
  },
});
