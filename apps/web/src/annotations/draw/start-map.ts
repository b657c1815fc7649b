import { wrapLon } from '@osprey/geo';
import type { LngLatBoundsLike, Map as MapLibreMap } from 'maplibre-gl';
import type { RefObject } from 'react';
import { chartColours, type Scheme, stateColours } from '../../base/colours.ts';
import { formatPlace } from '../../base/units.ts';
import { createBaseMap } from '../../map/create-map.ts';
import type { Editor } from '../../map/draw/editor.ts';
import { pointOf } from '../../map/draw/figures.ts';
import { boundsOf } from '../../map/draw/geometry.ts';
import { readMapProps } from '../../map/map-storage.ts';
import { graticuleOverlay, startGraticule } from '../../map/overlays/graticule-overlay.ts';
import { svgElement } from '../../map/overlays/svg.ts';
import { openOnSite } from '../../map/site-extent.ts';
import { attachEditor, type EditorMap } from './editor-map.ts';
import type { MapPlace } from './map-place.ts';

type Options = {
  container: HTMLElement;
  scheme: Scheme;
  editor: Editor;
  /** Place where the map was left for the last annotation, and a function that stores where it is left now. */
  now: RefObject<{ place: MapPlace; onPlace: (place: MapPlace) => void }>;
  /** Element that shows the position under the pointer. */
  pointer: RefObject<HTMLElement | null>;
};

export type DrawMap = {
  map: MapLibreMap;
  drawing: EditorMap;
  /** Moves the map to these bounds, such that its tools do not cover them. */
  show: (bounds: LngLatBoundsLike) => void;
  end: () => void;
};

/** Padding of a narrow map in pixels, for the tools at its left edge and the hint below. */
const NARROW = { left: 112, top: 64, right: 24, bottom: 96 };
const WIDE_PX = 600;

/**
 * Creates a map with an editor attached. It shows the shapes drawn already or, if there are none, the place of the last
 * annotation.
 */
export async function startDrawMap({ container, scheme, editor, now, pointer }: Options): Promise<DrawMap> {
  const { place } = now.current;
  const main = readMapProps();
  const view = { center: place.center ?? main.center, zoom: place.zoom ?? main.zoom };
  const map = createBaseMap({ container, scheme, view });
  if (place.center === null && !main.moved) openOnSite(map);
  await new Promise<void>((resolve) => map.once('load', () => resolve()));
  const show = (bounds: LngLatBoundsLike) => {
    const padding = container.clientWidth < WIDE_PX ? NARROW : 80;
    map.fitBounds(bounds, { padding, maxZoom: 16, animate: false });
  };
  const bounds = boundsOf(editor.get().shapes.map(({ feature }) => feature));
  if (bounds && (place.center === null || !editor.get().canUndo)) show(bounds);
  const graticule = drawGraticule(map, container, scheme);
  const drawing = attachEditor({
    map,
    editor,
    scheme,
    unit: place.unit,
    onPointer(at) {
      if (pointer.current && at) pointer.current.textContent = formatPlace(pointOf(at));
    },
  });
  const onMoved = () => {
    const { lng, lat } = map.getCenter();
    const { place: before, onPlace } = now.current;
    onPlace({ ...before, center: [wrapLon(lng), lat], zoom: map.getZoom() });
  };
  map.on('moveend', onMoved);
  return {
    map,
    drawing,
    show,
    end() {
      map.off('moveend', onMoved);
      graticule.stop();
      drawing.detach();
      map.remove();
    },
  };
}

/**
 * The tools cover the left edge, and the position of the pointer the lower edge, so the degrees are written at the
 * right and upper edges. The margins there leave room for the button in the corner that moves to the place of the main
 * map, and for the map credits at the bottom.
 */
const FREE_EDGES: Parameters<typeof startGraticule>[1] = {
  parallels: { at: 'right', top: 64, bottom: 40 },
  meridians: { at: 'top', left: 60, right: 150 },
};

/** Draws meridians and parallels over the map, as on the other maps. */
function drawGraticule(map: MapLibreMap, container: HTMLElement, scheme: Scheme) {
  const over = svgElement('svg');
  Object.assign(over.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', pointerEvents: 'none' });
  const svg = svgElement('g');
  over.append(svg);
  container.append(over);
  const running = startGraticule({ map, svg }, FREE_EDGES);
  running.show(true, graticuleOverlay.id);
  const { sea, text } = chartColours[scheme];
  running.paint({ scheme, ground: sea, text, chosen: stateColours.warning[scheme] });
  return {
    stop() {
      running.stop();
      over.remove();
    },
  };
}
