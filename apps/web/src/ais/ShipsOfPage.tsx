import { type ReactNode, useMemo, useState } from 'react';
import { type ChosenShip, ShipsContext } from './ships.ts';
import { useAisFilter } from './useAisFilter.ts';

/** What the table of ships and the map of this page share. */
export function ShipsOfPage({ children }: { children: ReactNode }) {
  const { filter, change } = useAisFilter();
  const [chosen, choose] = useState<ChosenShip | null>(null);
  const ships = useMemo(() => ({ filter, change, chosen, choose }), [filter, change, chosen]);
  return <ShipsContext value={ships}>{children}</ShipsContext>;
}
