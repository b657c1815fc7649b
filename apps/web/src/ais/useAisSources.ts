import { listAisSources } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';

/** Reads the receivers, and the missions that have ships. They are read again when a platform changes. */
export function useAisSources() {
  const api = useApi();
  return useQuery({
    queryKey: ['ais', 'sources'],
    queryFn: ({ signal }) => api.call(listAisSources, {}, { signal }),
  });
}
