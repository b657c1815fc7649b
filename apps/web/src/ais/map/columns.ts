import type { Scheme } from '../../base/colours.ts';
import { targetInk } from './ship-colours.ts';
import type { MapTarget } from './targets.ts';

/** Numbers stored per target: four texels of four numbers each. */
export const STRIDE = 16;
/** Offset of each field within the numbers of a target. */
const FIELD = { heading: 4, course: 5, run: 6, scale: 7, hull: 8, colour: 12, turn: 13 } as const;
/** Number of targets in one row of the texture. */
export const TARGETS_A_ROW = 256;
const ROW = TARGETS_A_ROW * STRIDE;
/** Value of the field `turn` if the heading is not known. */
export const NO_HEADING = 1e9;

const METRES_AROUND = 2 * Math.PI * 6_378_137;
const RADIANS = Math.PI / 180;
/** Distance in metres that a ship covers in one minute at a speed of one knot. */
const METRES_PER_KNOT_MINUTE = 1852 / 60;
/** Speed in knots below which a ship has no vector, since the course of a ship at rest is noise. */
const STATIONARY_KNOTS = 0.3;

/**
 * Project longitude and latitude to Web Mercator coordinates, which range from 0 to 1 across the world; y is 0 in the
 * north.
 */
export const mercatorX = (longitude: number): number => (longitude + 180) / 360;
export function mercatorY(latitude: number): number {
  const limited = Math.max(-85.05, Math.min(85.05, latitude));
  return 0.5 - Math.log(Math.tan(Math.PI / 4 + (limited * RADIANS) / 2)) / (2 * Math.PI);
}

/**
 * Holds the targets of one symbol in a single array for the GPU, so that only changes have to be uploaded. Each
 * coordinate is stored as the sum of two 32-bit floats, since a single one would be wrong by metres.
 */
export class Columns {
  count = 0;
  /** Data of the texture, in complete rows; doubled in size when it is full. */
  floats = new Float32Array(ROW);
  readonly objects: MapTarget[] = [];
  readonly #slots = new Map<string, number>();
  #round = 0;
  #seen = new Uint32Array(TARGETS_A_ROW);
  /** Range of the numbers in `floats` that were written since the last upload: start and end. */
  dirtyFrom = Number.POSITIVE_INFINITY;
  dirtyTo = 0;

  /** Begins an update: targets for which `put` is not called before `end` are removed. */
  begin() {
    this.#round++;
  }

  put(target: MapTarget, scheme: Scheme) {
    let slot = this.#slots.get(target.id);
    if (slot === undefined) {
      slot = this.count++;
      this.#slots.set(target.id, slot);
      if (this.count * STRIDE > this.floats.length) this.#grow();
    } else if (this.objects[slot] === target) {
      this.#seen[slot] = this.#round;
      return;
    }
    this.#seen[slot] = this.#round;
    this.objects[slot] = target;
    this.#write(slot, target, scheme);
  }

  /** Removes the targets for which `put` was not called. The last targets in the array take over their slots. */
  end() {
    for (let slot = this.count - 1; slot >= 0; slot--) {
      if (this.#seen[slot] === this.#round) continue;
      const last = --this.count;
      this.#slots.delete(this.objects[slot]!.id);
      if (slot !== last) {
        const moved = this.objects[last]!;
        this.objects[slot] = moved;
        this.#slots.set(moved.id, slot);
        this.#seen[slot] = this.#seen[last]!;
        this.floats.copyWithin(slot * STRIDE, last * STRIDE, (last + 1) * STRIDE);
        this.#touch(slot);
      }
      this.objects.length = last;
    }
  }

  recolour(scheme: Scheme) {
    for (let slot = 0; slot < this.count; slot++) {
      this.floats[slot * STRIDE + FIELD.colour] = numberOf(targetInk(this.objects[slot]!, scheme));
    }
    if (this.count > 0) {
      this.dirtyFrom = 0;
      this.dirtyTo = this.count * STRIDE;
    }
  }

  #write(slot: number, target: MapTarget, scheme: Scheme) {
    const { floats } = this;
    const at = slot * STRIDE;
    const { latitude, longitude, heading, cog, sog, dimensions, turn } = target;
    const x = mercatorX(longitude);
    const y = mercatorY(latitude);
    const highX = Math.fround(x);
    const highY = Math.fround(y);
    floats[at] = highX;
    floats[at + 1] = highY;
    floats[at + 2] = x - highX;
    floats[at + 3] = y - highY;
    floats[at + FIELD.heading] = (heading ?? cog ?? 0) * RADIANS;
    floats[at + FIELD.course] = (cog ?? 0) * RADIANS;
    const scale = 1 / (METRES_AROUND * Math.cos(latitude * RADIANS));
    floats[at + FIELD.run] =
      cog === null || sog === null || sog < STATIONARY_KNOTS ? 0 : sog * METRES_PER_KNOT_MINUTE * scale;
    floats[at + FIELD.scale] = scale;
    // The outline of the hull needs the true heading; the course over ground may differ from it.
    const hull = heading === null ? null : dimensions;
    floats[at + FIELD.hull] = hull?.toBow ?? 0;
    floats[at + FIELD.hull + 1] = hull?.toStern ?? 0;
    floats[at + FIELD.hull + 2] = hull?.toPort ?? 0;
    floats[at + FIELD.hull + 3] = hull?.toStarboard ?? 0;
    floats[at + FIELD.colour] = numberOf(targetInk(target, scheme));
    floats[at + FIELD.turn] = heading === null ? NO_HEADING : (turn ?? 0);
    this.#touch(slot);
  }

  #touch(slot: number) {
    this.dirtyFrom = Math.min(this.dirtyFrom, slot * STRIDE);
    this.dirtyTo = Math.max(this.dirtyTo, (slot + 1) * STRIDE);
  }

  #grow() {
    const floats = new Float32Array(this.floats.length * 2);
    floats.set(this.floats);
    this.floats = floats;
    const seen = new Uint32Array(this.#seen.length * 2);
    seen.set(this.#seen);
    this.#seen = seen;
  }
}

const inks = new Map<string, number>();

/** Returns red, green and blue combined into one number, which a 32-bit float represents exactly. */
function numberOf(ink: string): number {
  let number = inks.get(ink);
  if (number === undefined) {
    number = Number.parseInt(ink.slice(1), 16);
    // Ship lists may have any colours, so the size of the cache is limited.
    if (inks.size > 1000) inks.clear();
    inks.set(ink, number);
  }
  return number;
}
