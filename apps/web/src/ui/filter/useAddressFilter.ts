import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { AT_ONCE } from '../at-once.ts';
import { type AddressRules, intoQuery } from './query-filter.ts';

/**
 * The filter of a list as the address holds it.
 *
 * @param rules at module level: with others it is another filter
 */
export function useAddressFilter<Filter>(rules: AddressRules<Filter>) {
  const [query, setQuery] = useSearchParams();
  // The address may change for other reasons (what is watched): the filter keeps its identity meanwhile.
  const text = intoQuery(rules, new URLSearchParams(), rules.fromQuery(query)).toString();
  const filter = useMemo(() => rules.fromQuery(new URLSearchParams(text)), [rules, text]);
  const setFilter = useCallback(
    (next: Filter) => setQuery((before) => intoQuery(rules, before, next), AT_ONCE),
    [rules, setQuery],
  );
  return { filter, setFilter, query, setQuery };
}
