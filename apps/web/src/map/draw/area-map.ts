import type { DocumentGeometry } from '@osprey/contract';
import type { Scheme } from '../../base/colours.ts';
import { createBaseMap } from '../create-map.ts';
import { readMapProps } from '../map-storage.ts';
import { drawPlace } from '../overlays/place-layers.ts';
import { openOnSite } from '../site-extent.ts';
import type { AreaPolygon } from './area.ts';
import { attachDrawing, type Drawing } from './drawing.ts';
import { boundsOf } from './geometry.ts';

type Options = {
  container: HTMLElement;
  scheme: Scheme;
  value: AreaPolygon | null;
  /** Existing place that cannot be drawn with this tool, such as a point; it is shown below the drawing. */
  context: DocumentGeometry | null;
  onDrawn: (polygon: AreaPolygon) => void;
};

export type AreaMap = Pick<Drawing, 'setMode' | 'show'> & { end: () => void };

/** Creates a map that shows an area, and on which another one can be drawn. */
export async function startAreaMap({ container, scheme, value, context, onDrawn }: Options): Promise<AreaMap> {
  const props = readMapProps();
  const map = createBaseMap({ container, scheme, view: { ...props, zoom: 5 } });
  if (!props.moved && value === null) openOnSite(map);
  await new Promise<void>((resolve) => map.once('load', () => resolve()));
  if (context) drawPlace(map, context, scheme);
  const { setMode, show, detach } = attachDrawing({ map, scheme, onDrawn });
  setMode('rectangle');
  show(value);
  const bounds = value && boundsOf([{ type: 'Feature', properties: {}, geometry: value }]);
  if (bounds) map.fitBounds(bounds, { padding: 60, animate: false });
  return {
    setMode,
    show,
    end() {
      detach();
      map.remove();
    },
  };
}
