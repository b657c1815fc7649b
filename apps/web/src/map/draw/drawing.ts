import type { Map as MapLibreMap } from 'maplibre-gl';
import {
  TerraDraw,
  TerraDrawCircleMode,
  TerraDrawLineStringMode,
  TerraDrawPointMode,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  ValidateNotSelfIntersecting,
} from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { darkPalette, lightPalette, type Scheme } from '../../base/colours.ts';
import type { AreaPolygon } from './area.ts';

export type DrawMode = 'rectangle' | 'polygon';
export type ShapeMode = DrawMode | 'point' | 'circle' | 'linestring';

export type DrawnPath = { type: 'Point'; coordinates: number[] } | { type: 'LineString'; coordinates: number[][] };

export type Drawing = {
  /** `static`: nothing is drawn, and the map is moved as usual. */
  setMode: (mode: ShapeMode | 'static') => void;
  /** Draws this polygon in place of what is there; null: nothing. */
  show: (polygon: AreaPolygon | null) => void;
  /** Removes the drawing with its listeners and layers; the map is as it was. */
  detach: () => void;
};

type Options = {
  /** Any map whose style has loaded, without another drawing. */
  map: MapLibreMap;
  scheme: Scheme;
  /** A shape is finished: it replaces what was drawn before. */
  onDrawn: (polygon: AreaPolygon, mode: ShapeMode) => void;
  /** The same with a point or a line, which is not left on the map. */
  onPath?: (path: DrawnPath) => void;
};

/** A press that moves less than this is a click, px. */
const CLICK_PX = 8;

/** Attaches the tools that draw an area to a map: by pointer, by touch, with Enter to finish a shape and Esc to cancel it. */
export function attachDrawing({ map, scheme, onDrawn, onPath }: Options): Drawing {
  const accent = (scheme === 'dark' ? darkPalette : lightPalette).primary.main;
  const styles = { fillColor: accent, fillOpacity: 0.15, outlineColor: accent, outlineWidth: 2 } as const;
  const restore = interactionsOf(map);
  const draw = new TerraDraw({
    // A hand that shakes, or a finger, moves a little between pressing and letting go: that is a click, not a drag of the map.
    adapter: new TerraDrawMapLibreGLAdapter({ map, minPixelDragDistance: CLICK_PX }),
    modes: [
      new TerraDrawRectangleMode({ styles }),
      // An area that crosses itself has no inside.
      new TerraDrawPolygonMode({ styles, validation: (feature) => ValidateNotSelfIntersecting(feature) }),
      new TerraDrawCircleMode({ styles, projection: 'globe' }),
      new TerraDrawLineStringMode({ styles: { lineStringColor: accent, lineStringWidth: 2 } }),
      new TerraDrawPointMode({ styles: { pointColor: accent, pointWidth: 5 } }),
    ],
  });
  draw.start();
  const canvas = map.getCanvas();
  canvas.addEventListener('keydown', onKeyDown);
  let shown = '';

  /** The dialog around the map must not close on an Escape that cancels a shape. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && draw.getModeState() === 'drawing') event.stopPropagation();
  }

  draw.on('finish', (id) => {
    const geometry = draw.getSnapshotFeature(id)?.geometry;
    if (geometry === undefined) return;
    if (geometry.type !== 'Polygon') {
      // The drawing is in the middle of its own work.
      queueMicrotask(() => draw.enabled && draw.clear());
      return onPath?.(geometry);
    }
    draw.removeFeatures(
      draw.getSnapshot().flatMap(({ id: other }) => (other === undefined || other === id ? [] : [other])),
    );
    shown = JSON.stringify(geometry.coordinates);
    onDrawn({ type: 'Polygon', coordinates: geometry.coordinates }, draw.getMode() as ShapeMode);
  });

  return {
    setMode: (mode) => draw.setMode(mode),
    show(polygon) {
      const text = polygon ? JSON.stringify(polygon.coordinates) : '';
      if (text === shown) return;
      shown = text;
      draw.clear();
      if (!polygon) return;
      // The drawing keeps 9 decimals and refuses more.
      const coordinates = polygon.coordinates.map((ring) =>
        ring.map((point) => point.map((one) => Number(one.toFixed(9)))),
      );
      draw.addFeatures([
        { type: 'Feature', properties: { mode: 'polygon' }, geometry: { type: 'Polygon', coordinates } },
      ]);
    },
    detach() {
      canvas.removeEventListener('keydown', onKeyDown);
      // stop() alone does not stop the mode, which would keep its cursor.
      draw.setMode('static');
      draw.stop();
      restore();
    },
  };
}

/** Remembers what the tools switch off while they draw, and returns what switches it on again. */
function interactionsOf(map: MapLibreMap): () => void {
  const before = [map.doubleClickZoom, map.dragPan, map.dragRotate].map((handler) => ({
    handler,
    isEnabled: handler.isEnabled(),
  }));
  return () => {
    for (const { handler, isEnabled } of before) handler[isEnabled ? 'enable' : 'disable']();
  };
}
