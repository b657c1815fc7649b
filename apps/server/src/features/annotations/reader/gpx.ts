import { gpxReader } from '../../../base/formats/gpx.ts';
import type { Place } from '../../../base/formats/numbers.ts';
import { readXml } from '../../../base/formats/xml.ts';
import type { Gathering } from './gather.ts';

type Segment = (Place | null)[];

/** GPX 1.0 and 1.1: waypoints, routes and tracks; each segment of a track is a line. @throws BadFile */
export function readGpx(text: string, into: Gathering): void {
  let segments: Segment[] = [];

  function put(properties: { name: string | undefined; description: string }): void {
    const filled = segments.filter(({ length }) => length > 0);
    const [only] = filled;
    if (only === undefined) return;
    if (filled.length > 1) {
      const lines = filled.filter(({ length }) => length > 1);
      if (lines.length < filled.length) into.note(properties.name ?? '', 'A segment of a single point was left out.');
      into.add(
        lines.length === 1
          ? { type: 'LineString', coordinates: lines[0] }
          : { type: 'MultiLineString', coordinates: lines },
        properties,
      );
    } else if (only.length === 1) into.add({ type: 'Point', coordinates: only[0] }, properties);
    else into.add({ type: 'LineString', coordinates: only }, properties);
  }

  const reader = gpxReader({
    begin(part) {
      segments = part === 'wpt' ? [[]] : [];
    },
    segment: () => void segments.push([]),
    point: ({ place }) => void segments.at(-1)?.push(place),
    end(_part, fields) {
      put({
        name: fields.get('name'),
        description: [fields.get('desc'), fields.get('cmt')].filter(Boolean).join('\n'),
      });
      segments = [];
    },
    named: (name) => into.labelled(/^Annotations, (.+)$/.exec(name)?.[1]),
  });
  readXml(text, reader);
}
