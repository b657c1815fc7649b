import { classificationRank } from '@osprey/contract';
import type { TrailRow } from './rows.tsx';

/** Pictures of a list are fetched one after the other: those of one account within this time are one look at it. */
const SAME_LOOK_US = 10_000_000;

type Acting = { user?: { _id: string } | null; actor?: { _id: string } | null };

const whoOf = (row: TrailRow & Acting): string => `${(row.user ?? row.actor)?._id} ${row.address}`;

const isPicture = ({ action, outcome }: TrailRow): boolean => action === 'thumbnail.read' && outcome === 'allowed';

/** Whether two neighbouring rows are pictures of the same list; the audit has the newest row first. */
const isOneLook = (before: TrailRow, row: TrailRow): boolean =>
  isPicture(row) && isPicture(before) && whoOf(row) === whoOf(before) && before.time - row.time <= SAME_LOOK_US;

export type Grouped<Row> = {
  rows: readonly (Row & { pictures?: number })[];
  /** Place among all rows of the last one that a shown row stands for. */
  lastOf: (index: number) => number;
};

/** One row in place of those of the pictures of a list, with their number and the highest of their labels. */
export function groupPictures<Row extends TrailRow>(all: readonly Row[]): Grouped<Row> {
  const rows: (Row & { pictures?: number })[] = [];
  const last: number[] = [];
  for (const [index, row] of all.entries()) {
    const before = all[index - 1];
    const shown = before && isOneLook(before, row) ? rows.pop() : undefined;
    if (shown === undefined) {
      rows.push(row);
      last.push(index);
      continue;
    }
    rows.push({
      ...shown,
      pictures: (shown.pictures ?? 1) + 1,
      item: shown.item?._id === row.item?._id ? shown.item : null,
      itemLabel: higher(shown.itemLabel, row.itemLabel),
    });
    last[last.length - 1] = index;
  }
  return { rows, lastOf: (index) => last[index] ?? all.length - 1 };
}

function higher(one: TrailRow['itemLabel'], other: TrailRow['itemLabel']): TrailRow['itemLabel'] {
  if (one === null || other === null) return one ?? other;
  return classificationRank(one) >= classificationRank(other) ? one : other;
}
