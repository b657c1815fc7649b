import type { Gathering } from './gather.ts';
import { readXml } from './xml.ts';

type Fields = Record<string, string | number>;
type Geometry = { type: string; coordinates?: unknown; geometries?: unknown };
type Placemark = { fields: Fields; data: Fields; styleUrl: string; style: Fields; geometries: Geometry[] };

/** Elements of a placemark that name other files, which are never fetched. */
const REMOTE = new Set(['NetworkLink', 'GroundOverlay', 'ScreenOverlay', 'PhotoOverlay', 'Model']);

const positionsOf = (text: string): number[][] =>
  text
    .trim()
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => part.split(',').map(Number));

/** OGC KML 2.3 colours are alpha, blue, green, red. */
function colourOf(text: string): { colour: string; opacity: number } | null {
  const match = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  if (!match) return null;
  const [, alpha = 'ff', blue, green, red] = match;
  return { colour: `#${red}${green}${blue}`, opacity: Math.round((Number.parseInt(alpha, 16) / 255) * 100) / 100 };
}

/** Placemarks with their styles; references out of the file are named and never fetched. @throws BadFile */
export function readKml(text: string, into: Gathering): void {
  const styles = new Map<string, Fields>();
  /** Style of a style map: that of its normal look. */
  const maps = new Map<string, string>();
  const placemarks: Placemark[] = [];
  let mark: Placemark | null = null;
  let style: { id: string; fields: Fields } | null = null;
  let map: { id: string; key: string } | null = null;
  let remote: { kind: string; name: string; href: string } | null = null;
  let rings: number[][][] = [];
  let track: number[][] = [];
  let dataName = '';
  let words = '';

  function put(geometry: Geometry): void {
    mark?.geometries.push(geometry);
  }

  function closeStyle(name: string, above: string): boolean {
    if (style === null) return false;
    if (name === 'color') {
      const read = colourOf(words);
      if (read && above === 'LineStyle')
        Object.assign(style.fields, { stroke: read.colour, 'stroke-opacity': read.opacity });
      if (read && above === 'PolyStyle')
        Object.assign(style.fields, { fill: read.colour, 'fill-opacity': read.opacity });
      if (read && above === 'IconStyle') style.fields['marker-color'] = read.colour;
    }
    if (name === 'width' && above === 'LineStyle') style.fields['stroke-width'] = words.trim();
    if (name === 'fill' && above === 'PolyStyle' && words.trim() === '0') style.fields['fill-opacity'] = 0;
    if (name === 'href' && above === 'Icon' && /^\w+:/.test(words.trim())) {
      into.note('Icon', `${words.trim().slice(0, 200)} is not fetched: a plain symbol is shown.`);
    }
    if (name === 'Style') {
      if (style.id !== '') styles.set(style.id, style.fields);
      if (mark) Object.assign(mark.style, style.fields);
      style = null;
    }
    return true;
  }

  readXml(text, {
    open({ name, attributes }) {
      words = '';
      if (REMOTE.has(name)) remote = { kind: name, name: '', href: '' };
      if (name === 'Placemark') mark = { fields: {}, data: {}, styleUrl: '', style: {}, geometries: [] };
      if (name === 'Style') style = { id: attributes.id ?? '', fields: {} };
      if (name === 'StyleMap') map = { id: attributes.id ?? '', key: '' };
      if (name === 'Polygon') rings = [];
      if (name === 'Track') track = [];
      if (name === 'Data' || name === 'SimpleData') dataName = attributes.name ?? '';
    },
    text(said) {
      words += said;
    },
    close(path) {
      const [above = '', name = ''] = [path.at(-2), path.at(-1)];
      const said = words;
      words = '';
      if (name === 'value' && dataName === 'securityClassification') into.labelled(said.trim());
      if (closeStyleWith(said, name, above)) return;
      if (remote) return closeRemote(said, name, above);
      if (map) return closeMap(said, name);
      if (mark) closeMark(said, name, above, path);
    },
  });

  function closeStyleWith(said: string, name: string, above: string): boolean {
    words = said;
    const isOfStyle = closeStyle(name, above);
    words = '';
    return isOfStyle;
  }

  function closeRemote(said: string, name: string, above: string): void {
    if (name === 'name' && above === remote!.kind) remote!.name = said.trim();
    if (name === 'href') remote!.href = said.trim();
    if (name !== remote!.kind) return;
    const what = remote!.kind === 'NetworkLink' ? 'It is not fetched' : 'It is not shown, and nothing of it is fetched';
    into.note(
      `${remote!.kind} ${remote!.name}`.trim(),
      `${what}${remote!.href ? `: ${remote!.href.slice(0, 200)}` : ''}.`,
    );
    remote = null;
  }

  function closeMap(said: string, name: string): void {
    if (name === 'key') map!.key = said.trim();
    if (name === 'styleUrl' && map!.key === 'normal') maps.set(map!.id, said.trim());
    if (name === 'StyleMap') map = null;
  }

  function closeMark(said: string, name: string, above: string, path: readonly string[]): void {
    const own = mark!;
    if (above === 'Placemark' && (name === 'name' || name === 'description')) own.fields[name] = said.trim();
    if (above === 'Placemark' && name === 'styleUrl') own.styleUrl = said.trim();
    if (name === 'value' && above === 'Data' && dataName) own.data[dataName] = said.trim();
    if (name === 'SimpleData' && dataName) own.data[dataName] = said.trim();
    if (name === 'coordinates') {
      const places = positionsOf(said);
      if (path.includes('Polygon')) rings.push(places);
      else if (path.includes('LineString') || path.includes('LinearRing'))
        put({ type: 'LineString', coordinates: places });
      else put({ type: 'Point', coordinates: places[0] });
    }
    if (name === 'Polygon') put({ type: 'Polygon', coordinates: rings });
    // Google's tracks have blanks where others have commas.
    if (name === 'coord') track.push(said.trim().split(/\s+/).map(Number));
    if (name === 'Track' && track.length > 0) {
      put(track.length === 1 ? { type: 'Point', coordinates: track[0] } : { type: 'LineString', coordinates: track });
    }
    if (name === 'Placemark') {
      placemarks.push(own);
      mark = null;
    }
  }

  for (const { fields, data, styleUrl, style: ownStyle, geometries } of placemarks) {
    const id = styleUrl.replace(/^#/, '');
    const shared = styles.get(id) ?? styles.get((maps.get(id) ?? '').replace(/^#/, ''));
    if (styleUrl !== '' && !styleUrl.startsWith('#')) into.note('Style', `${styleUrl.slice(0, 200)} is not fetched.`);
    const properties = { ...data, ...fields, ...shared, ...ownStyle };
    if (geometries.length === 0) into.add(null, properties);
    else if (geometries.length === 1) into.add(geometries[0], properties);
    else into.add({ type: 'GeometryCollection', geometries }, properties);
  }
}
