import type { CasePart } from '@osprey/contract';

type Ordered = Pick<CasePart, '_id' | 'startTime'>;

/** Returns the ids of the parts in order of time. Parts without a time are at the end, in their previous order. */
export const idsByTime = (parts: readonly Ordered[]): string[] =>
  parts
    .map(({ _id, startTime }, index) => ({ _id, index, time: startTime ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => (a.time === b.time ? a.index - b.index : a.time - b.time))
    .map(({ _id }) => _id);

/**
 * Returns the ids with one of them moved to another position, counted from 0. Positions out of range are limited to the
 * ends.
 */
export function moved(ids: readonly string[], id: string, place: number): string[] {
  const others = ids.filter((one) => one !== id);
  const at = Math.max(0, Math.min(others.length, place));
  return [...others.slice(0, at), id, ...others.slice(at)];
}

/** Returns the parts in this order, followed by those that the order does not contain. */
export function inOrder<Part extends { _id: string }>(parts: readonly Part[], ids: readonly string[] | null): Part[] {
  if (ids === null) return [...parts];
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const place = ({ _id }: Part) => placeOf.get(_id) ?? ids.length;
  return [...parts].sort((a, b) => place(a) - place(b));
}

export const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);
