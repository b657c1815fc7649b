import { LIST_MAX, QUERY_VERTICES_MAX, SEARCH_MAX, tag } from '@osprey/contract';
import { z } from 'zod';
import { timeOf } from '../../base/time-of.ts';

/**
 * Maximum longitude in degrees. Areas across the antimeridian extend beyond ±180, which the server accepts only up to
 * one full turn.
 */
const LON_MAX = 540;
const LAT_MAX = 90;

const position = z
  .array(z.number())
  .min(2)
  .refine(([lon = 0, lat = 0]) => Math.abs(lon) <= LON_MAX && Math.abs(lat) <= LAT_MAX);

/**
 * Schema with the limits of the server, so that an area which the server would refuse is not accepted from an address.
 */
export const polygon = z
  .object({ type: z.literal('Polygon'), coordinates: z.array(z.array(position).min(4)).min(1) })
  .refine(({ coordinates }) => coordinates.flat().length <= QUERY_VERTICES_MAX);
export type Area = z.infer<typeof polygon>;

export const isoOf = (timeUs: number): string => new Date(timeUs / 1000).toISOString();

/** Parses a comma-separated list and removes duplicates. */
export const listOf = (text: string | null): string[] => [
  ...new Set((text ?? '').split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))),
];

export const idsOf = (text: string | null): string[] => listOf(text).filter((id) => z.uuid().safeParse(id).success);

const tagsOf = (text: string | null): string[] => listOf(text).filter((one) => tag.safeParse(one).success);

export const searchOf = (text: string | null): string =>
  text === null || text.length > SEARCH_MAX || text.includes('\0') ? '' : text;

export function areaOf(text: string | null): Area | null {
  try {
    return polygon.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}

/** Filter of most lists. Times are in UTC microseconds; empty lists and nulls do not filter. */
export type CommonFilter = {
  start: number | null;
  end: number | null;
  tags: readonly string[];
  usergroups: readonly string[];
  area: Area | null;
  search: string;
};

export function commonQuery(filter: CommonFilter): Record<string, string> {
  const query: Record<string, string> = {};
  if (filter.start !== null) query.start = isoOf(filter.start);
  if (filter.end !== null) query.end = isoOf(filter.end);
  if (filter.tags.length > 0) query.tags = filter.tags.join(',');
  if (filter.usergroups.length > 0) query.usergroups = filter.usergroups.join(',');
  if (filter.area !== null) query.geometry = JSON.stringify(filter.area);
  if (filter.search !== '') query.search = filter.search;
  return query;
}

export const commonFilter = (query: URLSearchParams): CommonFilter => ({
  start: timeOf(query.get('start')),
  end: timeOf(query.get('end')),
  tags: tagsOf(query.get('tags')).slice(0, LIST_MAX),
  usergroups: idsOf(query.get('usergroups')).slice(0, LIST_MAX),
  area: areaOf(query.get('geometry')),
  search: searchOf(query.get('search')),
});

/** Representation of the filter of a list in an address. */
export type AddressRules<Filter> = {
  /** Query parameters that belong to the filter. */
  names: readonly string[];
  toQuery: (filter: Filter) => Record<string, string>;
  /** Reads the filter from an address; invalid parts are ignored. */
  fromQuery: (query: URLSearchParams) => Filter;
};

/** Rules of a filter together with its sort order, and its storage for the next visit. */
export type FilterRules<Filter, Sort extends string> = AddressRules<Filter> & {
  stored: () => Filter;
  store: (filter: Filter) => void;
  sorts: readonly Sort[];
  defaultSort: Sort;
};

/** Returns the query string with this filter; other parameters are kept. */
export function intoQuery<Filter>(
  rules: Pick<AddressRules<Filter>, 'names' | 'toQuery'>,
  query: URLSearchParams,
  filter: Filter,
): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const name of rules.names) next.delete(name);
  for (const [name, value] of Object.entries(rules.toQuery(filter))) next.set(name, value);
  return next;
}
