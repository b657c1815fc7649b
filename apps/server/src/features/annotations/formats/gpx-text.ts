import type { Annotation, AnnotationFeature, Classification } from '@osprey/contract';
import { cutGeometry, linesOf, pointsOf, xmlText } from './geometry.ts';

type Each = () => AsyncIterable<Annotation>;
type Place = number[];

/**
 * Writes annotations as GPX 1.1, which has no areas: points become waypoints, lines and outlines become tracks. All
 * waypoints come first, as its schema requires.
 */
export async function* gpxText(each: Each, label: Classification): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Osprey" xmlns="http://www.topografix.com/GPX/1/1">\n';
  yield `<metadata><name>Annotations, ${xmlText(label)}</name></metadata>\n`;
  for await (const { title, features } of each()) {
    for (const feature of features) {
      for (const place of pointsOf(feature.geometry)) {
        yield `<wpt ${at(place)}>${height(place)}${head(feature, title)}</wpt>\n`;
      }
    }
  }
  for await (const { title, features } of each()) {
    for (const feature of features) {
      const lines = linesOf(cutGeometry(feature.geometry));
      if (lines.length > 0) yield `<trk>${head(feature, title)}${lines.map(segment).join('')}</trk>\n`;
    }
  }
  yield '</gpx>\n';
}

const at = ([lon = 0, lat = 0]: Place): string => `lat="${lat}" lon="${lon}"`;
const height = ([, , metres]: Place): string => (metres === undefined ? '' : `<ele>${metres}</ele>`);
const segment = (line: readonly Place[]): string =>
  `<trkseg>${line.map((place) => `<trkpt ${at(place)}>${height(place)}</trkpt>`).join('')}</trkseg>`;

function head({ properties }: AnnotationFeature, annotation: string): string {
  const name = properties.featureTitle || properties.title || annotation;
  const text = properties.popupContent ? `<desc>${xmlText(properties.popupContent)}</desc>` : '';
  return `<name>${xmlText(name)}</name>${text}`;
}
