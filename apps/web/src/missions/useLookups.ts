import { listCountryCodes, listPlatformTypes } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import type { Country } from '../ui/fields/countries.ts';

const noTexts: string[] = [];
const noCountries: Country[] = [];
const HOUR_MS = 3_600_000;

/** Returns all countries, or only those used by visible missions. */
export function useCountries(which: 'all' | 'used'): readonly Country[] {
  const api = useApi();
  const query = useQuery({
    queryKey: ['countryCodes', which],
    queryFn: ({ signal }) => api.call(listCountryCodes, { query: which === 'used' ? { used: '1' } : {} }, { signal }),
    ...(which === 'all' && { staleTime: HOUR_MS }),
  });
  return query.data ?? noCountries;
}

export function usePlatformTypes(): readonly string[] {
  const api = useApi();
  const query = useQuery({
    queryKey: ['platformTypes'],
    queryFn: ({ signal }) => api.call(listPlatformTypes, {}, { signal }),
    staleTime: HOUR_MS,
  });
  return query.data ?? noTexts;
}
