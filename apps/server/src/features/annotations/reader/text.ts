import { BadFile } from '../../../base/formats/bad-file.ts';
import { decodeComplete } from '../../../base/formats/text.ts';
import { fromRoot } from '../../../base/formats/xml.ts';
import type { Gathering } from './gather.ts';
import { readGeoJson } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { readKml } from './kml.ts';

export type TextFormat = 'geojson' | 'kml' | 'gpx';

/** Reads a text file of any origin; its format is found by its content. @throws BadFile */
export function readText(bytes: Buffer, into: Gathering): TextFormat {
  const text = decodeComplete(bytes);
  const begins = fromRoot(text).slice(0, 4096);
  if (!begins.startsWith('<')) {
    readGeoJson(text, into);
    return 'geojson';
  }
  if (/<(?:\w+:)?gpx[\s>]/i.test(begins)) {
    readGpx(text, into);
    return 'gpx';
  }
  if (/<(?:\w+:)?kml[\s>]/i.test(begins) || /<Placemark[\s>]/.test(begins)) {
    readKml(text, into);
    return 'kml';
  }
  throw new BadFile('it is neither GeoJSON, KML nor GPX');
}
