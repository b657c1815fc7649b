import { useState } from 'react';

/** The list of the draw before while it has the same entries. */
export function useSameList<Entry>(list: readonly Entry[]): readonly Entry[] {
  const [kept, keep] = useState(list);
  const isSame = kept.length === list.length && list.every((entry, at) => entry === kept[at]);
  if (!isSame) keep(list);
  return isSame ? kept : list;
}
