import { useCallback, useState } from 'react';
import { type AisFilter, readAisFilter, writeAisFilter } from './ais-filter.ts';

/** Returns the filter as the user last left it. Each change is stored and applied immediately. */
export function useAisFilter(): { filter: AisFilter; change: (part: Partial<AisFilter>) => void } {
  const [filter, setFilter] = useState(readAisFilter);
  const change = useCallback(
    (part: Partial<AisFilter>) =>
      setFilter((before) => {
        const next = { ...before, ...part };
        writeAisFilter(next);
        return next;
      }),
    [],
  );
  return { filter, change };
}
