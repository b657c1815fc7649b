import type { DocumentGeometry } from '@osprey/contract';
import { TerraDraw, TerraDrawPolygonMode, TerraDrawRectangleMode, ValidateNotSelfIntersecting } from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { darkPalette, lightPalette, type Scheme } from '../../base/colours.ts';
import { createBaseMap } from '../create-map.ts';
import { readMapProps } from '../map-storage.ts';
import { drawPlace } from '../overlays/place-layers.ts';
import type { AreaPolygon } from './area.ts';

export type DrawMode = 'rectangle' | 'polygon';

export type DrawTools = {
  setMode: (mode: DrawMode) => void;
  show: (polygon: AreaPolygon | null) => void;
  fit: (polygon: AreaPolygon | null) => void;
  end: () => void;
};

type Drawing = {
  container: HTMLElement;
  scheme: Scheme;
  /** A place that cannot be drawn here, such as a point: shown below what is drawn. */
  beside: DocumentGeometry | null;
  onDrawn: (polygon: AreaPolygon) => void;
};

/** A map with drawing tools on it; whatever is finished is told, and takes the place of what was there. */
export async function startDrawing({ container, scheme, beside, onDrawn }: Drawing): Promise<DrawTools> {
  const map = createBaseMap({ container, scheme, view: { ...readMapProps(), zoom: 5 } });
  await new Promise<void>((resolve) => map.once('load', () => resolve()));
  if (beside) drawPlace(map, beside, scheme);
  const accent = (scheme === 'dark' ? darkPalette : lightPalette).primary.main;
  const styles = { fillColor: accent, fillOpacity: 0.15, outlineColor: accent, outlineWidth: 2 } as const;
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map }),
    modes: [
      new TerraDrawRectangleMode({ styles }),
      // An area that crosses itself has no inside.
      new TerraDrawPolygonMode({ styles, validation: (feature) => ValidateNotSelfIntersecting(feature) }),
    ],
  });
  draw.start();
  let shown = '';

  draw.on('finish', (id) => {
    const geometry = draw.getSnapshotFeature(id)?.geometry;
    if (geometry?.type !== 'Polygon') return;
    draw.removeFeatures(
      draw.getSnapshot().flatMap(({ id: other }) => (other === undefined || other === id ? [] : [other])),
    );
    shown = JSON.stringify(geometry.coordinates);
    onDrawn({ type: 'Polygon', coordinates: geometry.coordinates });
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
    fit(polygon) {
      const ring = polygon?.coordinates[0] ?? [];
      const lons = ring.map(([lon = 0]) => lon);
      const lats = ring.map(([, lat = 0]) => lat);
      if (ring.length === 0) return;
      const bounds: [[number, number], [number, number]] = [
        [Math.min(...lons), Math.min(...lats)],
        [Math.max(...lons), Math.max(...lats)],
      ];
      map.fitBounds(bounds, { padding: 60, animate: false });
    },
    end() {
      draw.stop();
      map.remove();
    },
  };
}
