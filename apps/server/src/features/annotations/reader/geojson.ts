import { BadFile } from '../../../base/formats/bad-file.ts';
import { eachFeature, type GeoJsonPart, geoJsonParts, objectOf } from '../../../base/formats/geojson.ts';
import type { Gathering } from './gather.ts';

const geometryTypes = /^(?:Multi)?(?:Point|LineString|Polygon)$|^GeometryCollection$/;

/**
 * Reads GeoJSON (RFC 7946): a feature collection, a feature, a bare geometry, or a sequence of these. @throws BadFile
 */
export function readGeoJson(text: string, into: Gathering): void {
  let count = 0;
  for (const part of geoJsonParts(text)) {
    count += 1;
    if (part.kind === 'root') checkRoot(part);
    into.labelled(objectOf(part.value).securityClassification);
    eachFeature(part, {
      feature(geometry, properties) {
        into.labelled(objectOf(properties).securityClassification);
        into.add(geometry, properties);
      },
      tooDeep: () => into.add(null, null),
    });
  }
  if (count === 0) throw new BadFile('it is not valid JSON');
}

function checkRoot({ value, hasList }: Extract<GeoJsonPart, { kind: 'root' }>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadFile('it is no GeoJSON');
  const { type, features } = objectOf(value);
  if (type === 'FeatureCollection') {
    if (!hasList && !Array.isArray(features)) throw new BadFile('its features are not a list');
  } else if (type !== 'Feature' && !geometryTypes.test(String(type))) {
    throw new BadFile('it is no GeoJSON: its type is neither a feature, a collection of features nor a geometry');
  }
}
