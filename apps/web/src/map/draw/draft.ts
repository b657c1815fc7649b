import type { AnnotationFeature } from '@osprey/contract';
import { type EditorState, figureOf } from './editor.ts';
import type { Place } from './figures.ts';

type Draft = {
  /** The vertices; the last one is at the pointer. */
  places: readonly Place[];
  /** The shape; null while it has fewer than two vertices. */
  feature: AnnotationFeature | null;
};

/** Returns the shape that is being drawn or measured, as it would be if the user clicked now. */
export function draftOf({ tool, path, pointer }: Pick<EditorState, 'tool' | 'path' | 'pointer'>): Draft {
  const places = pointer === null || path.length === 0 ? path : [...path, pointer];
  if (places.length < 2) return { places, feature: null };
  // With its second position, a sector has only its first side, so it is drawn as a line.
  const figure = tool === 'sector' && places.length === 2 ? null : figureOf(tool, places);
  if (figure) return { places, feature: figure };
  const geometry: AnnotationFeature['geometry'] =
    tool === 'polygon' && places.length > 2
      ? { type: 'Polygon', coordinates: [[...places, places[0]!]] }
      : { type: 'LineString', coordinates: [...places] };
  return { places, feature: { type: 'Feature', properties: {}, geometry } };
}

export const dotOf = (place: Place) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: place },
  properties: { kind: 'vertex' },
});
