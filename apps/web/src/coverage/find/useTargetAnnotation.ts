import { type Annotation, changedEvents, listAnnotations, type TargetShape } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { useServerEvent } from '../../events/events.ts';

/** Reads the queried annotation in full; reads nothing if the shape is no annotation. */
export function useTargetAnnotation(shape: TargetShape | null) {
  const api = useApi();
  const queries = useQueryClient();
  const id = shape?.type === 'Annotation' ? shape.id : null;
  useServerEvent(changedEvents.annotation, ({ ids }) => {
    // A changed annotation may have other shapes, which changes the results.
    if (id !== null && ids.includes(id)) void queries.invalidateQueries({ queryKey: ['lookback', 'find'] });
  });
  return useQuery({
    queryKey: ['annotations', 'one', id],
    enabled: id !== null,
    queryFn: async ({ signal }) => (await api.call(listAnnotations, { query: { id: id! } }, { signal })) as Annotation,
    retry: false,
  });
}
