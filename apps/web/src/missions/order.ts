import { classificationRank, type Mission } from '@osprey/contract';
import type { SortKey } from './filter.ts';

type Value = string | number | null;

/**
 * Values compared by each sort, matching the server: names are compared in lower case, in the collation of the packaged
 * database.
 */
const compared: Record<string, (mission: Mission) => Value> = {
  state: ({ state }) => state,
  name: ({ name }) => name.toLowerCase(),
  description: ({ description }) => description.toLowerCase(),
  platform: ({ platform }) => platform.name.toLowerCase(),
  country: ({ country_name }) => country_name,
  startTime: ({ startTime }) => startTime,
  endTime: ({ endTime }) => endTime,
  rating: ({ rating }) => rating,
  views: ({ views }) => views,
  creationTime: ({ creationTime }) => creationTime,
  securityClassification: ({ securityClassification }) => classificationRank(securityClassification),
};

/**
 * Returns whether one mission precedes another. Missions without a value come last in either direction; equal ones are
 * ordered by id.
 */
export function isBefore(sort: SortKey, a: Mission, b: Mission): boolean {
  const compare = compared[sort.replace(/^-/, '')]!;
  const [left, right] = [compare(a), compare(b)];
  if (left === right) return a._id < b._id;
  if (left === null || right === null) return right === null;
  return sort.startsWith('-') ? left > right : left < right;
}
