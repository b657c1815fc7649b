import { useCallback, useState } from 'react';
import { storageKeys } from '../base/keys.ts';
import { useAddressFilter } from '../ui/filter/useAddressFilter.ts';
import type { Sorting } from '../ui/table/data-table.ts';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { platformQuery } from './filter.ts';

/** View of the table of platforms: its filter (in the address), its order and its columns. */
export function usePlatformsView() {
  const { filter, setFilter } = useAddressFilter(platformQuery);
  const [sorting, setSorting] = useState<Sorting>({ column: 'name', descending: false });
  const columns = useColumnChoice(storageKeys.platformColumns);
  const setSearch = useCallback((search: string) => setFilter({ ...filter, search }), [filter, setFilter]);
  const sortBy = useCallback(
    (column: string) =>
      setSorting((before) => ({ column, descending: before.column === column && !before.descending })),
    [],
  );
  return { filter, setFilter, setSearch, sorting, sortBy, columns };
}

export type PlatformsView = ReturnType<typeof usePlatformsView>;
