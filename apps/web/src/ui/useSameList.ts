import { useState } from 'react';

/** Returns the list of the previous render as long as it has the same entries. */
export function useSameList<Entry>(list: readonly Entry[]): readonly Entry[] {
  const [retained, keep] = useState(list);
  const isSame = retained.length === list.length && list.every((entry, at) => entry === retained[at]);
  if (!isSame) keep(list);
  return isSame ? retained : list;
}
