import type { CasePart } from '@osprey/contract';

type Ordered = Pick<CasePart, '_id' | 'startTime'>;

/** Ids of the parts by time; those without a time are at the end, in their old order. */
export const idsByTime = (parts: readonly Ordered[]): string[] =>
  parts
    .map(({ _id, startTime }, index) => ({ _id, index, time: startTime ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => (a.time === b.time ? a.index - b.index : a.time - b.time))
    .map(({ _id }) => _id);

/** The ids with one of them at another place, from 0; places beyond the ends are the ends. */
export function moved(ids: readonly string[], id: string, place: number): string[] {
  const others = ids.filter((one) => one !== id);
  const at = Math.max(0, Math.min(others.length, place));
  return [...others.slice(0, at), id, ...others.slice(at)];
}

/** The parts in this order, followed by those that it does not name. */
export function inOrder<Part extends { _id: string }>(parts: readonly Part[], ids: readonly string[] | null): Part[] {
  if (ids === null) return [...parts];
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const place = ({ _id }: Part) => placeOf.get(_id) ?? ids.length;
  return [...parts].sort((a, b) => place(a) - place(b));
}

export const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);
