import { caseSorts } from '@osprey/contract';
import { type FilterRules, searchOf } from '../ui/filter/query-filter.ts';
import type { SortKey } from './useCases.ts';

export type Filter = { search: string };

export const noFilter: Filter = { search: '' };

/** Rules of the filter; the search is stored only in the address. */
export const filterRules: FilterRules<Filter, SortKey> = {
  names: ['search'],
  toQuery: ({ search }) => (search === '' ? {} : { search }) as Record<string, string>,
  fromQuery: (query) => ({ search: searchOf(query.get('search')) }),
  stored: () => noFilter,
  store: () => undefined,
  sorts: caseSorts.flatMap((key): SortKey[] => [key, `-${key}`]),
  defaultSort: '-changed',
};
