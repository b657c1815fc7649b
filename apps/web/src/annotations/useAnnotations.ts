import {
  type Annotation,
  type AnnotationFilter,
  type AnnotationRow,
  listAnnotationBin,
  listAnnotations,
  listTags,
  type ShownAnnotation,
} from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { type Api, useApi } from '../api/api.ts';
import { type Pages, usePages } from '../api/usePages.ts';

export type SortKey = NonNullable<AnnotationFilter['sort']>;
export type Filter = { search: string; bbox: string | null };

const none: never[] = [];

/** Reads the rows of the table page by page. */
export function useAnnotationRows({ search, bbox }: Filter, sort: SortKey): Pages<AnnotationRow> {
  return usePages<AnnotationRow>({
    queryKey: ['annotations', 'rows', search, bbox, sort],
    read: async (api, page, options) => {
      const filter = { ...(search && { search }), ...(bbox !== null && { bbox, rows: '1' as const }) };
      return (await api.call(listAnnotations, { query: { ...filter, sort, ...page } }, options)) as AnnotationRow[];
    },
  });
}

/** Reads an annotation in full, as needed for editing; with null, nothing is read. */
export function useAnnotation(id: string | null) {
  const api = useApi();
  return useQuery({
    queryKey: ['annotations', 'one', id],
    queryFn: async ({ signal }) => (await api.call(listAnnotations, { query: { id: id! } }, { signal })) as Annotation,
    enabled: id !== null,
    retry: false,
    // Not cached: the form keeps the annotation while it is open, and must never open with an outdated one.
    staleTime: 0,
    gcTime: 0,
  });
}

/** Query for the annotations that a map shows within a box. */
export const shownQuery = (api: Api, bbox: string, zoom: number) => ({
  queryKey: ['annotations', 'shown', bbox, zoom],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await api.call(listAnnotations, { query: { bbox, zoom: zoom.toFixed(2) } }, { signal })) as ShownAnnotation[],
  staleTime: 30_000,
});

export function useAnnotationBin() {
  const api = useApi();
  return useQuery({
    queryKey: ['annotations', 'bin'],
    queryFn: ({ signal }) => api.call(listAnnotationBin, {}, { signal }),
  });
}

/** Returns the tags of all annotations that the user can see. */
export function useAnnotationTags(): readonly string[] {
  const api = useApi();
  const query = useQuery({
    queryKey: ['annotations', 'tags'],
    queryFn: ({ signal }) => api.call(listTags, { query: { category: 'annotation' } }, { signal }),
  });
  return query.data ?? none;
}
