import { type ShipTypeGroup, shipTypeGroup } from '@osprey/ais/names';
import { platformInk, type Scheme, stateColours } from '../../base/colours.ts';
import type { MapTarget } from './targets.ts';

/** Colours of ship types on the chart. They are muted, so that platforms and footprints remain prominent. */
export const shipColours = {
  cargo: { dark: '#86C297', light: '#2F7A45' },
  tanker: { dark: '#E08E7E', light: '#A8452F' },
  passenger: { dark: '#86B4E8', light: '#2C66A8' },
  fishing: { dark: '#DDBB74', light: '#80600F' },
  service: { dark: '#74C8C5', light: '#1C7472' },
  pleasure: { dark: '#CF9AD3', light: '#8A3F91' },
  authority: { dark: '#F2F5F9', light: '#20262E' },
  other: { dark: '#A4AEBA', light: '#5C6773' },
} as const satisfies Record<string, Record<Scheme, string>>;
export type ShipColour = keyof typeof shipColours;

const OF_GROUP: Readonly<Record<ShipTypeGroup, ShipColour>> = {
  cargo: 'cargo',
  tanker: 'tanker',
  passenger: 'passenger',
  highSpeed: 'passenger',
  fishing: 'fishing',
  sailing: 'pleasure',
  pleasure: 'pleasure',
  service: 'service',
  law: 'authority',
  military: 'authority',
  sar: 'authority',
  other: 'other',
  unknown: 'other',
};

/** Returns the name of the colour of a ship type. */
export const shipColourOf = (shipType: number | null): ShipColour => OF_GROUP[shipTypeGroup(shipType)];

/**
 * Returns the colour of a target as #rrggbb: red for distress, amber for aids to navigation that are off position, then
 * the colour of a ship list, then the colour of the ship type.
 */
export function targetInk(target: MapTarget, scheme: Scheme): string {
  const { kind, colour, shipType, offPosition } = target;
  if (kind === 'sart' || kind === 'mob' || kind === 'epirb') return stateColours.live[scheme];
  if (kind === 'aton' && offPosition) return stateColours.warning[scheme];
  if (colour !== null && /^#[\da-f]{6}$/i.test(colour)) return platformInk(colour, scheme);
  if (kind === 'sarAircraft' || kind === 'base' || kind === 'aton') return shipColours.authority[scheme];
  return shipColours[shipColourOf(shipType)][scheme];
}
