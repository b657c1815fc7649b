import type { Point } from '../point.ts';
import { planeAround } from './local-plane.ts';
import { deviations, SIGMAS_95, type Spread } from './spread.ts';

/** A ship in a frame: the middle of its hull, and the error of that place. */
export type Candidate = { mmsi: number; place: Point; spread: Spread };
/** A moving target detected in the video, identified by the number of its track. */
export type TrackedTarget = { id: number; place: Point };

/** Time for which the matching rule must hold before a target is matched with a ship, in microseconds. */
const HOLDS_US = 3_000_000;
/**
 * Maximum time between frames after which the rule still counts as having held without interruption, in microseconds.
 */
const GAP_US = 2_000_000;

/**
 * Matches targets in the video with ships. A target is matched with a ship if, for 3 s, it has been in the error
 * ellipse of this ship and of no other, its distance to the ship is less than half that to the next ship, and the
 * ship's distance to it is less than half that to the next target. The match ends as soon as this no longer holds:
 * while ships cross and the matching is uncertain, targets have no ship's name, and names are never swapped.
 */
export function createMatching() {
  /** For each target, the only ship that it can be, and since when. */
  const alone = new Map<number, { mmsi: number; sinceUs: number }>();
  let lastUs = Number.NaN;

  return {
    /** @returns the MMSI of the ship for each matched target */
    at(timeUs: number, ships: readonly Candidate[], targets: readonly TrackedTarget[]): Map<number, number> {
      const stepUs = timeUs - lastUs;
      if (!(stepUs >= 0 && stepUs <= GAP_US)) alone.clear();
      lastUs = timeUs;
      const now = claimsOf(ships, targets);
      for (const id of [...alone.keys()]) if (alone.get(id)!.mmsi !== now.get(id)) alone.delete(id);
      for (const [id, mmsi] of now) if (!alone.has(id)) alone.set(id, { mmsi, sinceUs: timeUs });
      const matched = new Map<number, number>();
      for (const [id, { mmsi, sinceUs }] of alone) if (timeUs - sinceUs >= HOLDS_US) matched.set(id, mmsi);
      return matched;
    },
  };
}

/** Returns the targets that can currently be only one ship, with that ship. */
function claimsOf(ships: readonly Candidate[], targets: readonly TrackedTarget[]): Map<number, number> {
  /** Targets that could be more than one ship. */
  const unclear = new Set<number>();
  const claims = new Map<number, { id: number; metres: number; next: number }>();
  for (const { id, place } of targets) {
    const plane = planeAround(place);
    const near = ships.flatMap(({ mmsi, place: at, spread }) => {
      const offset = plane.toPlane(at);
      return offset ? [{ mmsi, metres: Math.hypot(...offset), holds: deviations(spread, offset) <= SIGMAS_95 }] : [];
    });
    for (const { mmsi, metres, holds } of near) {
      if (!holds) continue;
      const existing = claims.get(mmsi);
      // If two targets are in the same ellipse, the nearer one may be the ship; the distance of the other one is stored
      // for comparison.
      if (existing === undefined) claims.set(mmsi, { id, metres, next: Number.POSITIVE_INFINITY });
      else if (metres < existing.metres) claims.set(mmsi, { id, metres, next: existing.metres });
      else existing.next = Math.min(existing.next, metres);
    }
    const holding = near.filter(({ holds }) => holds);
    const own = holding[0];
    const next = Math.min(...near.filter((one) => one !== own).map(({ metres }) => metres));
    if (own && (holding.length > 1 || own.metres >= next / 2)) unclear.add(id);
  }
  const claimed = [...claims].filter(([, { id, metres, next }]) => !unclear.has(id) && metres < next / 2);
  return new Map(claimed.map(([mmsi, { id }]) => [id, mmsi]));
}
