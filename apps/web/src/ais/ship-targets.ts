import { targetKind } from '@osprey/ais/names';
import type { AisVessel, SeenShip } from '@osprey/contract';
import type { MapTarget } from './map/targets.ts';

/**
 * Time without a report after which a ship counts as lost. Moving ships send every 2 to 30 s, ships at anchor every 3
 * min (ITU-R M.1371-5, table 1).
 */
const LOST_MOVING_US = 180e6;
const LOST_AT_ANCHOR_US = 18 * 60e6;
const MOVING_KNOTS = 3;

export function isLost({ timeUs, sog }: Pick<SeenShip, 'timeUs' | 'sog'>, nowUs: number): boolean {
  return nowUs - timeUs > ((sog ?? 0) >= MOVING_KNOTS ? LOST_MOVING_US : LOST_AT_ANCHOR_US);
}

/** Combines a ship of a frame with its known details into a map target. */
export const targetOf = (
  ship: SeenShip,
  { vessel, colour }: { vessel: AisVessel | undefined; colour: string | null },
  nowUs: number,
): MapTarget => ({
  id: String(ship.mmsi),
  mmsi: ship.mmsi,
  kind: targetKind(ship.mmsi, ship.messageType),
  latitude: ship.latitude,
  longitude: ship.longitude,
  cog: ship.cog,
  sog: ship.sog,
  heading: ship.heading,
  turn: null,
  timeUs: ship.timeUs,
  name: vessel?.name ?? null,
  shipType: ship.shipType,
  dimensions: vessel?.dimensions ?? null,
  colour,
  lost: isLost(ship, nowUs),
  offPosition: ship.offPosition,
});
