import { type DocumentRow, getDocument, listDocuments, listTags } from '@osprey/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { readStored, storageKeys, writeStored } from '../base/keys.ts';
import { commonQuery } from '../ui/filter/query-filter.ts';
import type { Filter, SortKey } from './filter.ts';

export const PAGE_SIZES = [20, 50, 100] as const;
const none: never[] = [];
/**
 * Removes the access token from a row. The page requests a token for each download; tokens in a list differ at each
 * read, which would make rows appear changed.
 */
const withoutToken = <Row extends DocumentRow>(row: Row): Row => ({ ...row, accessToken: null });

const numberOf = (text: string | null | undefined): number | null => (text ? Number(text) : null);

/** Reads one page of the documents that the user may see, and provides functions that move to the other pages. */
export function useDocuments(filter: Filter, sort: SortKey) {
  const api = useApi();
  const [size, setSize] = useState(() => {
    const stored = Number(readStored(storageKeys.documentPageSize));
    return PAGE_SIZES.find((one) => one === stored) ?? PAGE_SIZES[0];
  });
  // Cursors of the pages before the current one. A different filter, order or page size starts from the first page.
  const of = JSON.stringify([filter, sort, size]);
  const [place, setPlace] = useState<{ of: string; cursors: string[] }>({ of, cursors: [] });
  const cursors = place.of === of ? place.cursors : none;
  const after = cursors.at(-1);

  const page = useQuery({
    queryKey: ['documents', 'page', filter, sort, size, after ?? null],
    queryFn: async ({ signal }) => {
      let next: string | null = null;
      const query = { ...commonQuery(filter), sort, limit: String(size), ...(after === undefined ? {} : { after }) };
      const rows = await api.call(
        listDocuments,
        { query },
        {
          signal,
          onHeaders: (headers) => {
            next = headers.get('x-next-after');
          },
        },
      );
      return { rows: rows.map(withoutToken), next: next as string | null };
    },
    placeholderData: keepPreviousData,
  });
  const total = useDocumentCount(filter, true);
  return {
    documents: page.data?.rows ?? none,
    first: cursors.length * size + 1,
    total,
    size,
    setSize: (next: number) => {
      setSize(PAGE_SIZES.find((one) => one === next) ?? PAGE_SIZES[0]);
      writeStored(storageKeys.documentPageSize, String(next));
    },
    previous: cursors.length > 0 ? () => setPlace({ of, cursors: cursors.slice(0, -1) }) : null,
    next: page.data?.next ? () => setPlace({ of, cursors: [...cursors, page.data.next!] }) : null,
    loading: page.isPending,
    /** True if the rows on screen are still those of the previous filter. */
    stale: page.isPlaceholderData,
    error: page.error,
    refetch: page.refetch,
  };
}

/** Returns the number of documents that match the filter. It is requested separately, once for each filter. */
export function useDocumentCount(filter: Filter, enabled: boolean): number | null {
  const api = useApi();
  const query = useQuery({
    queryKey: ['documents', 'count', filter],
    queryFn: async ({ signal }) => {
      let total: number | null = null;
      await api.call(
        listDocuments,
        { query: { ...commonQuery(filter), limit: '1', count: '1' as const } },
        {
          signal,
          onHeaders: (headers) => {
            total = numberOf(headers.get('x-total-count'));
          },
        },
      );
      return total;
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  return query.data ?? null;
}

/** Reads one document by its id; with null, nothing is read. */
export function useDocument(id: string | null) {
  const api = useApi();
  return useQuery({
    queryKey: ['documents', 'one', id],
    queryFn: async ({ signal }) => withoutToken(await api.call(getDocument, { params: { id: id! } }, { signal })),
    enabled: id !== null,
    retry: false,
  });
}

/** Returns the tags of all documents that the user can see. */
export function useDocumentTags(): readonly string[] {
  const api = useApi();
  const query = useQuery({
    queryKey: ['documents', 'tags'],
    queryFn: ({ signal }) => api.call(listTags, { query: { category: 'document' } }, { signal }),
  });
  return query.data ?? none;
}
