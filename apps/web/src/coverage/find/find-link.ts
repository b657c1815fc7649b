import { type FindFilter, findFilter, type TargetShape, targetShape } from '@osprey/contract';
import { timeOf } from '../../base/time-of.ts';
import { type AddressRules, idsOf, isoOf } from '../../ui/filter/query-filter.ts';

/** The queried shape and the filters of the results. Both are stored entirely in the address. */
export type Question = { shape: TargetShape | null; filter: FindFilter };

const numbers = ['days', 'resolutionM', 'share', 'seconds'] as const;
const lists = ['platforms', 'platformTypes'] as const;

export const findRules: AddressRules<Question> = {
  names: ['shape', 'from', 'to', 'day', 'pictures', 'sensor', 'usergroups', 'look', ...numbers, ...lists],

  toQuery({ shape, filter }) {
    const query: Record<string, string> = {};
    if (shape !== null) query.shape = JSON.stringify(shape);
    if (filter.from !== undefined) query.from = isoOf(filter.from);
    if (filter.to !== undefined) query.to = isoOf(filter.to);
    if (filter.day) query.day = `${clockOf(filter.day.from)}-${clockOf(filter.day.to)}`;
    if (filter.pictures) query.pictures = filter.pictures;
    if (filter.sensor) query.sensor = filter.sensor;
    if (filter.usergroups?.length) query.usergroups = filter.usergroups.join(',');
    if (filter.look) query.look = `${filter.look.from}-${filter.look.to}`;
    for (const name of numbers) if (filter[name] !== undefined) query[name] = String(filter[name]);
    // JSON, since names may contain commas.
    for (const name of lists) if (filter[name]?.length) query[name] = JSON.stringify(filter[name]);
    return query;
  },

  fromQuery(query) {
    const shape = targetShape.safeParse(json(query.get('shape'))).data ?? null;
    const given: Record<string, unknown> = {
      from: timeOf(query.get('from')),
      to: timeOf(query.get('to')),
      day: dayOf(query.get('day')),
      pictures: query.get('pictures'),
      sensor: query.get('sensor'),
      usergroups: orNull(idsOf(query.get('usergroups'))),
      look: lookOf(query.get('look')),
    };
    for (const name of numbers) given[name] = query.has(name) ? Number(query.get(name)) : null;
    for (const name of lists) given[name] = json(query.get(name));
    // Invalid values are ignored, and leave the other filters unchanged.
    let filter: FindFilter = {};
    for (const [name, value] of Object.entries(given)) {
      if (value !== null) filter = findFilter.safeParse({ ...filter, [name]: value }).data ?? filter;
    }
    return { shape, filter };
  },
};

/** Formats minutes of a day as HH:mm. */
export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Parses HH:mm and returns minutes of the day; null if the text is no time. */
export function minuteOf(clock: string): number | null {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(clock.trim());
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

function dayOf(text: string | null) {
  const [from, to] = (text ?? '').split('-').map(minuteOf);
  return from == null || to == null ? null : { from, to };
}

function lookOf(text: string | null) {
  const match = /^([\d.]+)-([\d.]+)$/.exec(text ?? '');
  return match ? { from: Number(match[1]), to: Number(match[2]) } : null;
}

const orNull = <One>(list: One[]): One[] | null => (list.length > 0 ? list : null);

function json(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
