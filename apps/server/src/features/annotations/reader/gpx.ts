import type { Gathering } from './gather.ts';
import { readXml } from './xml.ts';

type Part = { fields: Record<string, string>; segments: number[][][]; point: number[] | null };

/** GPX 1.0 and 1.1: waypoints, routes and tracks; each segment of a track is a line. */
export function readGpx(text: string, into: Gathering): void {
  let part: Part | null = null;
  let point: number[] | null = null;
  let words = '';

  function put(current: Part): void {
    const { name, desc, cmt } = current.fields;
    const properties = { name, description: [desc, cmt].filter(Boolean).join('\n') };
    if (current.point) {
      into.add({ type: 'Point', coordinates: current.point }, properties);
      return;
    }
    const segments = current.segments.filter(({ length }) => length > 0);
    if (segments.length === 0) return;
    const [only] = segments;
    if (segments.length > 1) {
      const lines = segments.filter(({ length }) => length > 1);
      if (lines.length < segments.length) into.note(name ?? '', 'A segment of a single point was left out.');
      into.add(
        lines.length === 1
          ? { type: 'LineString', coordinates: lines[0] }
          : { type: 'MultiLineString', coordinates: lines },
        properties,
      );
    } else if (only!.length === 1) into.add({ type: 'Point', coordinates: only![0] }, properties);
    else into.add({ type: 'LineString', coordinates: only }, properties);
  }

  readXml(text, {
    open({ name, attributes }) {
      words = '';
      if (name === 'wpt' || name === 'rte' || name === 'trk') part = { fields: {}, segments: [], point: null };
      if (name === 'rte' || name === 'trkseg') part?.segments.push([]);
      if (name === 'wpt' || name === 'rtept' || name === 'trkpt') {
        point = [Number(attributes.lon ?? Number.NaN), Number(attributes.lat ?? Number.NaN)];
        if (name === 'wpt' && part) part.point = point;
        else part?.segments.at(-1)?.push(point);
      }
    },
    text(said) {
      words += said;
    },
    close(path) {
      const [above, name] = [path.at(-2), path.at(-1)!];
      if (name === 'ele' && point && above !== 'extensions') {
        const height = Number(words);
        if (words.trim() !== '' && Number.isFinite(height)) point[2] = height;
      }
      if (name === 'name' && above === 'metadata') into.labelled(/^Annotations, (.+)$/.exec(words.trim())?.[1]);
      const isField = (name === 'name' || name === 'desc' || name === 'cmt') && part !== null;
      if (isField && (above === 'wpt' || above === 'rte' || above === 'trk')) part!.fields[name] = words.trim();
      if ((name === 'wpt' || name === 'rte' || name === 'trk') && part) {
        put(part);
        part = null;
      }
      words = '';
    },
  });
}
