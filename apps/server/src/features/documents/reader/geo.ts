import { BadFile } from '../../../base/formats/bad-file.ts';
import { COLLECTIONS_MAX, eachFeature, geoJsonParts, objectOf } from '../../../base/formats/geojson.ts';
import { kmlReader } from '../../../base/formats/kml.ts';
import { readXml } from '../../../base/formats/xml.ts';
import { createShapes, type Places } from './shapes.ts';

type Shapes = ReturnType<typeof createShapes>;

/** Reads the places of a GeoJSON document (RFC 7946). Invalid shapes are left out and counted. */
export function readGeoJson(text: string): Places {
  const shapes = createShapes();
  const tooDeep = () => shapes.addBroken('it is nested too deep');
  try {
    for (const part of geoJsonParts(text)) {
      eachFeature(part, { feature: (geometry) => gather(geometry, shapes, { tooDeep, depth: 0 }), tooDeep });
    }
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    return { geometry: null, note: `It has no place: ${error.message}.` };
  }
  return shapes.places();
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function gather(value: unknown, shapes: Shapes, { tooDeep, depth }: { tooDeep: () => void; depth: number }): void {
  const { type, geometries, coordinates } = objectOf(value);
  if (typeof type !== 'string') return;
  if (depth > COLLECTIONS_MAX) {
    tooDeep();
    return;
  }
  for (const child of listOf(geometries)) gather(child, shapes, { tooDeep, depth: depth + 1 });
  const part = type.replace(/^Multi/, '');
  for (const one of part === type ? [coordinates] : listOf(coordinates)) {
    if (part === 'Point') shapes.addPoint(one);
    if (part === 'LineString') shapes.addLine(one);
    if (part === 'Polygon') shapes.addPolygon(one);
  }
}

/** Collects the places of one or more KML documents, as far as they are well-formed. */
export function kmlPlaces() {
  const shapes = createShapes();
  return {
    /** Reads a KML text. External links are not followed; returns the addresses of network links. */
    add(text: string): { hrefs: readonly string[] } {
      const hrefs: string[] = [];
      const reader = kmlReader({
        link: ({ element, href }) => element === 'NetworkLink' && hrefs.push(href),
        shape({ type, coordinates }) {
          if (type === 'Point') shapes.addPoint(coordinates);
          if (type === 'LineString') shapes.addLine(coordinates);
          if (type === 'Polygon') shapes.addPolygon(coordinates);
        },
      });
      try {
        readXml(text, { ...reader, fault: () => {} });
      } catch (error) {
        if (!(error instanceof BadFile)) throw error;
        shapes.addBroken(error.message);
      }
      return { hrefs };
    },
    places: (): Places => shapes.places(),
  };
}

/** Reads the places of a KML document. */
export function readKml(text: string): Places {
  const kml = kmlPlaces();
  kml.add(text);
  return kml.places();
}
