import { type KmlStyle, kmlStyles } from './kml-styles.ts';
import { type Place, placeOf } from './numbers.ts';
import type { XmlListener } from './xml.ts';

/** A coordinate tuple without two valid numbers is null. */
export type KmlShape =
  | { type: 'Point'; coordinates: Place | null }
  | { type: 'LineString'; coordinates: (Place | null)[] }
  | { type: 'Polygon'; coordinates: (Place | null)[][] };

export type KmlPlacemark = {
  name: string;
  description: string;
  data: Readonly<Record<string, string>>;
  /** All shapes of the placemark; those of a MultiGeometry or MultiTrack are listed one after another. */
  shapes: KmlShape[];
  /** Returns the style. Call it at the end of the file, since shared styles may follow the placemark. */
  style: () => KmlStyle;
  /** Reference to a style in another file, which is not fetched; empty if there is none. */
  foreignStyle: string;
};

export type KmlLink = { element: string; name: string; href: string };

export type KmlListener = {
  placemark?: (mark: KmlPlacemark) => void;
  /** Called for each shape, including one outside any placemark. */
  shape?: (shape: KmlShape) => void;
  /** Called for elements that refer to other files, which are never fetched. */
  link?: (link: KmlLink) => void;
  /** Called with the address of a style's picture outside the file. */
  icon?: (href: string) => void;
  /** Called for a value of extended data, including one outside any placemark. */
  data?: (name: string, value: string) => void;
  /** Called for the parts of a `gx:Track` as they are read. */
  track?: {
    begin: () => void;
    when: (text: string) => void;
    coord: (place: Place | null) => void;
    altitudeMode: (mode: string) => void;
    end: () => void;
  };
};

/** Elements that show the content of another file. */
const LINKS = new Set(['NetworkLink', 'GroundOverlay', 'ScreenOverlay', 'PhotoOverlay', 'Model']);
const LINES = new Set(['LineString', 'LinearRing']);

/** Reader of OGC KML 2.3 with Google's `gx:Track`. */
export function kmlReader(listener: KmlListener): XmlListener {
  const styles = kmlStyles((href) => listener.icon?.(href));
  const keepsShapes = listener.placemark !== undefined || listener.shape !== undefined;
  let mark: {
    fields: Map<string, string>;
    data: Record<string, string>;
    shapes: KmlShape[];
    ownStyle: KmlStyle;
    styleUrl: string;
  } | null = null;
  let link: KmlLink | null = null;
  let rings: (Place | null)[][] = [];
  let track: (Place | null)[] | null = null;
  let dataName = '';

  function put(shape: KmlShape): void {
    mark?.shapes.push(shape);
    listener.shape?.(shape);
  }

  function closeTrack(): void {
    if (keepsShapes && track !== null && track.length > 0) {
      put(track.length === 1 ? { type: 'Point', coordinates: track[0]! } : { type: 'LineString', coordinates: track });
    }
    track = null;
    listener.track?.end();
  }

  function closeShape(name: string, text: string, path: readonly string[]): void {
    if (name === 'coordinates' && keepsShapes) {
      const places = placesOf(text);
      if (path.includes('Polygon')) rings.push(places);
      else if (path.some((one) => LINES.has(one))) put({ type: 'LineString', coordinates: places });
      else put({ type: 'Point', coordinates: places[0] ?? null });
    }
    if (name === 'Polygon' && keepsShapes) put({ type: 'Polygon', coordinates: rings });
    if (name === 'Track') closeTrack();
    if (track === null) return;
    if (name === 'when') listener.track?.when(text);
    if (name === 'altitudeMode') listener.track?.altitudeMode(text);
    if (name === 'coord') {
      // The numbers of this element are separated by blanks, whereas other elements use commas.
      const place = tupleOf(text.split(/[\s,]+/));
      if (keepsShapes) track.push(place);
      listener.track?.coord(place);
    }
  }

  function closeMark(name: string, text: string, above: string): void {
    if (mark === null) return;
    if (above === 'Placemark' && (name === 'name' || name === 'description')) mark.fields.set(name, text);
    if (above === 'Placemark' && name === 'styleUrl') mark.styleUrl = text;
    if (name !== 'Placemark') return;
    const { fields, data, shapes, ownStyle, styleUrl } = mark;
    mark = null;
    listener.placemark?.({
      name: fields.get('name') ?? '',
      description: fields.get('description') ?? '',
      data,
      shapes,
      style: () => ({ ...styles.shared(styleUrl), ...ownStyle }),
      foreignStyle: styleUrl.startsWith('#') ? '' : styleUrl,
    });
  }

  function closeData(name: string, text: string, above: string): void {
    if (dataName === '' || (name !== 'SimpleData' && (name !== 'value' || above !== 'Data'))) return;
    if (mark !== null && dataName !== '__proto__') mark.data[dataName] = text;
    listener.data?.(dataName, text);
  }

  function closeLink(name: string, text: string, above: string): void {
    if (link === null) return;
    if (name === 'name' && above === link.element) link.name = text;
    if (name === 'href') link.href = text;
    if (name !== link.element) return;
    listener.link?.(link);
    link = null;
  }

  return {
    open(name, attributes) {
      if (LINKS.has(name)) link = { element: name, name: '', href: '' };
      if (name === 'Placemark') mark = { fields: new Map(), data: {}, shapes: [], ownStyle: {}, styleUrl: '' };
      if (name === 'Polygon') rings = [];
      if (name === 'Track') {
        track = [];
        listener.track?.begin();
      }
      if (name === 'Data' || name === 'SimpleData') dataName = attributes.name ?? '';
      styles.open(name, attributes);
    },
    close(name, text, path) {
      const above = path.at(-2) ?? '';
      closeData(name, text, above);
      if (styles.isOpen()) {
        const closed = styles.close(name, text, above);
        if (closed !== null && mark !== null) Object.assign(mark.ownStyle, closed.style);
        if (closed?.url && mark !== null && mark.styleUrl === '') mark.styleUrl = closed.url;
      } else if (link !== null) closeLink(name, text, above);
      else {
        closeShape(name, text, path);
        closeMark(name, text, above);
      }
    },
  };
}

/** Parses tuples `lon,lat[,height]` separated by blanks. Some programs also write a blank after each comma. */
function placesOf(text: string): (Place | null)[] {
  const places: (Place | null)[] = [];
  let tuple = '';
  for (const part of text.split(/\s+/)) {
    if (part === '') continue;
    if (tuple !== '' && !tuple.endsWith(',') && !part.startsWith(',')) {
      places.push(tupleOf(tuple.split(',')));
      tuple = '';
    }
    tuple += part;
  }
  if (tuple !== '') places.push(tupleOf(tuple.split(',')));
  return places;
}

function tupleOf([lon, lat, height, ...more]: string[]): Place | null {
  return more.length > 0 ? null : placeOf(lon, lat, height);
}
