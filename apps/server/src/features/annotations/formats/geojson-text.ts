import type { Annotation, Classification } from '@osprey/contract';
import { cutGeometry } from './geometry.ts';

type Each = () => AsyncIterable<Annotation>;

const isoOf = (timeUs: number | null): string | null =>
  timeUs === null ? null : new Date(timeUs / 1000).toISOString();

/**
 * Writes annotations as one GeoJSON feature collection. Each feature has its own properties and the fields of its
 * annotation.
 */
export async function* geoJsonText(each: Each, label: Classification): AsyncGenerator<string> {
  yield `{"type":"FeatureCollection","securityClassification":${JSON.stringify(label)},"features":[`;
  let separator = '\n';
  for await (const annotation of each()) {
    const { title, description, tags, author, securityClassification, restricted, creationTime, startTime, endTime } =
      annotation;
    const fields = {
      ...{ annotation: title, annotationId: annotation._id, annotationDescription: description, tags, author },
      ...{ securityClassification, restricted, creationTime: isoOf(creationTime) },
      ...(startTime !== null && { startTime: isoOf(startTime), endTime: isoOf(endTime) }),
    };
    for (const { properties, geometry } of annotation.features) {
      const fill = properties['fill-color'];
      const feature = {
        type: 'Feature',
        // Simplestyle uses the name fill for this property.
        properties: { ...properties, ...(fill !== undefined && { fill }), ...fields },
        geometry: cutGeometry(geometry),
      };
      yield `${separator}${JSON.stringify(feature)}`;
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}
