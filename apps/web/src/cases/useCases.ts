import { type CaseFilter, type CaseRow, getCase, listCaseBin, listCases } from '@osprey/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { type Pages, usePages } from '../api/usePages.ts';

export type SortKey = NonNullable<CaseFilter['sort']>;

const none: readonly CaseRow[] = [];
const FOUND_MAX = 50;
const PAUSE_MS = 200;

/** Reads the rows of the list page by page. */
export function useCaseRows(search: string, sort: SortKey, enabled = true): Pages<CaseRow> {
  return usePages<CaseRow>({
    queryKey: ['cases', 'list', search, sort],
    enabled,
    read: (api, page, options) => api.call(listCases, { query: { ...(search && { search }), sort, ...page } }, options),
  });
}

/** Returns the cases that match the search text and that the user may edit, most recently changed first. */
export function useCaseSearch(text: string) {
  const api = useApi();
  const search = text.trim();
  const query = useQuery({
    queryKey: ['cases', 'search', search],
    queryFn: async ({ signal }) => {
      // Waits before sending the request: each further letter cancels the previous request.
      if (search !== '') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (signal.aborted) return none;
      const filter = { ...(search && { search }), sort: '-changed' as const, limit: String(FOUND_MAX) };
      const rows = await api.call(listCases, { query: filter }, { signal });
      return rows.filter(({ editable }) => editable);
    },
    placeholderData: keepPreviousData,
  });
  return { cases: query.data ?? none, loading: query.isFetching, error: query.error };
}

/** Reads one case by its id; with null, nothing is read. */
export function useCase(id: string | null) {
  const api = useApi();
  return useQuery({
    queryKey: ['cases', 'one', id],
    queryFn: ({ signal }) => api.call(getCase, { params: { id: id! } }, { signal }),
    enabled: id !== null,
    retry: false,
  });
}

export function useCaseBin() {
  const api = useApi();
  return useQuery({
    queryKey: ['cases', 'bin'],
    queryFn: ({ signal }) => api.call(listCaseBin, {}, { signal }),
  });
}
