import { useState } from 'react';

/** The list of the draw before while it has the same entries. */
export function useSameList<Entry>(list: readonly Entry[]): readonly Entry[] {
  const [retained, keep] = useState(list);
  const isSame = retained.length === list.length && list.every((entry, at) => entry === retained[at]);
  if (!isSame) keep(list);
  return isSame ? retained : list;
}
