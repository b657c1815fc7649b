import { useCallback, useState } from 'react';
import { type AisFilter, readAisFilter, writeAisFilter } from './ais-filter.ts';

/** The filter as it was left; each change is stored and shown at once. */
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
