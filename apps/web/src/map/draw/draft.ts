import type { AnnotationFeature } from '@osprey/contract';
import { type EditorState, figureOf } from './editor.ts';
import type { Place } from './figures.ts';

type Draft = {
  /** The vertices, the last of them at the pointer. */
  places: readonly Place[];
  /** Null while there are fewer than two. */
  feature: AnnotationFeature | null;
};

/** The shape that is being drawn or measured, as it would be if the pointer were pressed now. */
export function draftOf({ tool, path, pointer }: Pick<EditorState, 'tool' | 'path' | 'pointer'>): Draft {
  const places = pointer === null || path.length === 0 ? path : [...path, pointer];
  if (places.length < 2) return { places, feature: null };
  // The second place of a sector gives its first side alone.
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
