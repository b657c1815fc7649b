import { useCallback, useEffect, useRef } from 'react';
import { REPLACE_NOW } from '../at-once.ts';
import { type FilterRules, intoQuery } from './query-filter.ts';
import { useAddressFilter } from './useAddressFilter.ts';

/**
 * Filter and order of a list, and its open item. They are stored in the address, and the filter also for the next
 * visit.
 *
 * @param opened query parameter with the item that is open
 */
export function useQueryFilter<Filter, Sort extends string>(rules: FilterRules<Filter, Sort>, opened: string) {
  const { filter, setFilter: setInAddress, query, setQuery } = useAddressFilter(rules);
  const restored = useRef(false);

  useEffect(() => {
    if (restored.current) return;
    restored.current = true;
    // An address with a filter or an item is shown as it is; without them, the stored filter is applied.
    if (rules.names.some((name) => query.has(name)) || query.has(opened)) return;
    const next = intoQuery(rules, query, rules.stored());
    if (next.toString() !== query.toString()) setQuery(next, { replace: true });
  }, [rules, opened, query, setQuery]);

  const setFilter = useCallback(
    (next: Filter) => {
      rules.store(next);
      setInAddress(next);
    },
    [rules, setInAddress],
  );
  const setOne = useCallback(
    (name: string, value: string | null) =>
      setQuery((before) => {
        const next = new URLSearchParams(before);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      }, REPLACE_NOW),
    [setQuery],
  );
  const setSort = useCallback(
    (sort: Sort) => setOne('sort', sort === rules.defaultSort ? null : sort),
    [rules, setOne],
  );
  const open = useCallback((id: string | null) => setOne(opened, id), [opened, setOne]);
  const asked = query.get('sort');
  const sort = rules.sorts.find((one) => one === asked) ?? rules.defaultSort;
  return { filter, setFilter, sort, setSort, openId: query.get(opened), open };
}
