import { type Annotation, listAnnotations } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { errorText } from '../base/transport-error.ts';
import { boundsOf } from '../map/draw/geometry.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { viewArea } from './view-area.ts';

/** Returns a function that moves the map to an annotation. */
export function useShowOnMap(): (id: string) => Promise<void> {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  return async (id) => {
    if (viewArea.get() === null) return;
    try {
      const { features } = await queries.fetchQuery({
        queryKey: ['annotations', 'one', id, 'place'],
        queryFn: async ({ signal }) => (await api.call(listAnnotations, { query: { id } }, { signal })) as Annotation,
        staleTime: 30_000,
      });
      const bounds = boundsOf(features);
      if (bounds) viewArea.show({ bounds });
    } catch (error) {
      show(errorText(error), 'error');
    }
  };
}
