import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { REPLACE_NOW } from '../at-once.ts';
import { type AddressRules, intoQuery } from './query-filter.ts';

/**
 * Filter of a list, stored in the address.
 *
 * @param rules must be defined at module level, since other rules mean another filter
 */
export function useAddressFilter<Filter>(rules: AddressRules<Filter>) {
  const [query, setQuery] = useSearchParams();
  // The filter object remains the same if the address changes in other parameters (such as the selected streams).
  const text = intoQuery(rules, new URLSearchParams(), rules.fromQuery(query)).toString();
  const filter = useMemo(() => rules.fromQuery(new URLSearchParams(text)), [rules, text]);
  const setFilter = useCallback(
    (next: Filter) => setQuery((before) => intoQuery(rules, before, next), REPLACE_NOW),
    [rules, setQuery],
  );
  return { filter, setFilter, query, setQuery };
}
