import { listAisSources } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';

/** Receivers and missions with ships; a platform that changes asks for them again. */
export function useAisSources() {
  const api = useApi();
  return useQuery({
    queryKey: ['ais', 'sources'],
    queryFn: ({ signal }) => api.call(listAisSources, {}, { signal }),
  });
}
