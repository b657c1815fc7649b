import { type DocumentFilter, documentSorts } from '@osprey/contract';
import { z } from 'zod';
import { readStoredJson, storageKeys, writeStored } from '../base/keys.ts';
import { type CommonFilter, commonFilter, commonQuery, type FilterRules } from '../ui/filter/query-filter.ts';

/** Query parameter that names the document that is open. */
export const DOCUMENT_PARAMETER = 'document';

export type SortKey = NonNullable<DocumentFilter['sort']>;

/** Filter of the list of documents. */
export type Filter = CommonFilter;

export const noFilter: Filter = { start: null, end: null, tags: [], usergroups: [], area: null, search: '' };

export type FilterName = 'time' | 'tags' | 'usergroups' | 'area' | 'search';

export function without(filter: Filter, name: FilterName): Filter {
  if (name === 'time') return { ...filter, start: null, end: null };
  return { ...filter, [name]: noFilter[name] };
}

/** Stores the filter for the next visit within this browser tab. */
export function storeFilter(filter: Filter): void {
  const text = new URLSearchParams(commonQuery(filter)).toString();
  writeStored(storageKeys.docQueryFilter, text === '' ? null : JSON.stringify(text), sessionStorage);
}

export function storedFilter(): Filter {
  const text = z.string().safeParse(readStoredJson(storageKeys.docQueryFilter, sessionStorage)).data ?? '';
  return commonFilter(new URLSearchParams(text));
}

/** Rules of the filter; the query parameters have the same names as those of `GET documents`. */
export const filterRules: FilterRules<Filter, SortKey> = {
  names: ['start', 'end', 'tags', 'usergroups', 'geometry', 'search'],
  toQuery: commonQuery,
  fromQuery: commonFilter,
  stored: storedFilter,
  store: storeFilter,
  sorts: documentSorts.flatMap((key): SortKey[] => [key, `-${key}`]),
  defaultSort: '-creationTime',
};
