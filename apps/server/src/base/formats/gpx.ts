import { type Place, placeOf } from './numbers.ts';
import type { XmlListener } from './xml.ts';

export type GpxPart = 'wpt' | 'rte' | 'trk';
/**
 * `kind` is wpt, rtept or trkpt. `place` is null unless both coordinates are numbers. `fields` contains elements by
 * name, including those of extensions.
 */
export type GpxPoint = { kind: string; place: Place | null; fields: ReadonlyMap<string, string> };

export type GpxListener = {
  begin?: (part: GpxPart) => void;
  /** Called when a track segment or a route begins. */
  segment?: () => void;
  point?: (point: GpxPoint) => void;
  /** `fields`: name, desc and cmt. */
  end?: (part: GpxPart, fields: ReadonlyMap<string, string>) => void;
  /** Called with the file's name from its metadata. */
  named?: (name: string) => void;
};

const PARTS = new Set(['wpt', 'rte', 'trk']);
const POINTS = new Set(['wpt', 'rtept', 'trkpt']);
const PART_FIELDS = new Set(['name', 'desc', 'cmt']);

/** Reader of GPX 1.0 and 1.1: way points, routes, and tracks with their segments. */
export function gpxReader(listener: GpxListener): XmlListener {
  let part = new Map<string, string>();
  let point: { element: string; lon?: string; lat?: string; fields: Map<string, string>; own: Set<string> } | null =
    null;

  function closePoint(): void {
    if (point === null) return;
    const { element: kind, lon, lat, fields } = point;
    listener.point?.({ kind, place: placeOf(lon, lat, fields.get('ele')), fields });
    point = null;
  }

  return {
    open(name, { lon, lat }) {
      if (PARTS.has(name)) {
        part = new Map();
        listener.begin?.(name as GpxPart);
      }
      if (name === 'rte' || name === 'trkseg') listener.segment?.();
      if (POINTS.has(name)) {
        const place = { ...(lon !== undefined && { lon }), ...(lat !== undefined && { lat }) };
        point = { element: name, ...place, fields: new Map(), own: new Set() };
      }
    },
    close(name, text, path) {
      const above = path.at(-2) ?? '';
      if (point !== null && name !== point.element) {
        // An element of an extension does not replace the point's own element of the same name.
        if (above === point.element) point.own.add(name);
        if (above === point.element || !point.own.has(name)) point.fields.set(name, text);
      }
      if (PART_FIELDS.has(name) && PARTS.has(above)) part.set(name, text);
      if (name === 'name' && above === 'metadata') listener.named?.(text);
      if (name === point?.element) closePoint();
      if (PARTS.has(name)) listener.end?.(name as GpxPart, part);
    },
  };
}
