/** Labels in ascending order; the specification numbers them from 1. */
export const classifications = ['UNCLASSIFIED', 'RESTRICTED', 'CONFIDENTIAL', 'SECRET', 'TOP SECRET'] as const;
export type Classification = (typeof classifications)[number];

export const classificationRank = (name: Classification): number => classifications.indexOf(name) + 1;

export function classificationOf(rank: number): Classification {
  const name = classifications[rank - 1];
  if (name === undefined) throw new RangeError(`No classification has the rank ${rank}`);
  return name;
}
