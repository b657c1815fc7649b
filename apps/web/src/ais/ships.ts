import { createContext, useContext } from 'react';
import type { AisFilter } from './ais-filter.ts';

/** A ship that was chosen, in the table or on the map. */
export type ChosenShip = { mmsi: number; place: { lat: number; lon: number } | null };

/** State that the table of ships and the map of the same page share. */
export type Ships = {
  filter: AisFilter;
  change: (part: Partial<AisFilter>) => void;
  chosen: ChosenShip | null;
  /** Chooses a ship. If it has a place, the map moves there. */
  choose: (ship: ChosenShip | null) => void;
};

export const ShipsContext = createContext<Ships | null>(null);

export function useShips(): Ships {
  const ships = useContext(ShipsContext);
  if (!ships) throw new Error('useShips needs a ShipsContext above it');
  return ships;
}
