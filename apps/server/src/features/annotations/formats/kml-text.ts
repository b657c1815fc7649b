import type { Annotation, AnnotationFeature, Classification, FeatureGeometry } from '@osprey/contract';
import { cutGeometry, xmlText } from './geometry.ts';

type Each = () => AsyncIterable<Annotation>;
type Place = number[];

/** OGC KML 2.3: a folder for each annotation, a placemark for each feature. */
export async function* kmlText(each: Each, label: Classification): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n';
  yield `<name>Annotations, ${xmlText(label)}</name>\n`;
  for await (const annotation of each()) {
    yield `<Folder><name>${xmlText(annotation.title)}</name><description>${xmlText(annotation.description)}</description>\n`;
    yield `<ExtendedData><Data name="securityClassification"><value>${annotation.securityClassification}</value></Data>`;
    yield `<Data name="author"><value>${xmlText(annotation.author)}</value></Data></ExtendedData>\n`;
    for (const feature of annotation.features) yield placemark(feature, annotation.title);
    yield '</Folder>\n';
  }
  yield '</Document></kml>\n';
}

function placemark({ properties, geometry }: AnnotationFeature, annotation: string): string {
  const name = properties.featureTitle || properties.title || annotation;
  const text = properties.popupContent ? `<description>${xmlText(properties.popupContent)}</description>` : '';
  return `<Placemark><name>${xmlText(name)}</name>${text}${styleOf(properties)}${shapeOf(cutGeometry(geometry))}</Placemark>\n`;
}

function styleOf(properties: AnnotationFeature['properties']): string {
  const line = colour(properties.stroke ?? '#F2C14E', properties['stroke-opacity'] ?? 1);
  const fill = colour(properties['fill-color'] ?? properties.stroke ?? '#F2C14E', properties['fill-opacity'] ?? 0.2);
  return (
    `<Style><LineStyle><color>${line}</color><width>${properties['stroke-width'] ?? 3}</width></LineStyle>` +
    `<PolyStyle><color>${fill}</color></PolyStyle><IconStyle><color>${line}</color></IconStyle></Style>`
  );
}

/** Formats a KML colour: alpha, blue, green, red. */
function colour(stroke: string, opacity: number): string {
  const [red, green, blue] = [1, 3, 5].map((at) => stroke.slice(at, at + 2));
  return `${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}${blue}${green}${red}`.toLowerCase();
}

const places = (line: readonly Place[]): string =>
  `<coordinates>${line.map((place) => place.join(',')).join(' ')}</coordinates>`;
const point = (place: Place): string => `<Point>${places([place])}</Point>`;
const lineString = (line: readonly Place[]): string =>
  `<LineString><tessellate>1</tessellate>${places(line)}</LineString>`;
const ring = (points: readonly Place[]): string => `<LinearRing>${places(points)}</LinearRing>`;
const polygon = ([outer = [], ...holes]: readonly Place[][]): string =>
  `<Polygon><outerBoundaryIs>${ring(outer)}</outerBoundaryIs>` +
  `${holes.map((hole) => `<innerBoundaryIs>${ring(hole)}</innerBoundaryIs>`).join('')}</Polygon>`;
const several = (shapes: readonly string[]): string => `<MultiGeometry>${shapes.join('')}</MultiGeometry>`;

function shapeOf(geometry: FeatureGeometry): string {
  switch (geometry.type) {
    case 'Point':
      return point(geometry.coordinates);
    case 'MultiPoint':
      return several(geometry.coordinates.map(point));
    case 'LineString':
      return lineString(geometry.coordinates);
    case 'MultiLineString':
      return several(geometry.coordinates.map(lineString));
    case 'Polygon':
      return polygon(geometry.coordinates);
    case 'MultiPolygon':
      return several(geometry.coordinates.map(polygon));
  }
}
