import { AIS_RETENTION_MINUTES, AIS_TRAIL_MINUTES, aisModes, aisTypes } from '@osprey/contract';
import { z } from 'zod';
import { readStoredJson, storageKeys, writeStored } from '../base/keys.ts';

const minutes = z.int().min(1).max(1_000_000);

const stored = z.object({
  mode: z.enum(aisModes).catch('last'),
  aisType: z.enum(aisTypes).catch('vessels'),
  info: z.boolean().catch(true),
  /** Minutes for which a ship is shown after its last word, and minutes of its trail. */
  retention: minutes.catch(AIS_RETENTION_MINUTES),
  trail: minutes.catch(AIS_TRAIL_MINUTES),
  mission: z.object({ id: z.uuid(), name: z.string() }).nullable().catch(null),
  /** Ships of this list alone. */
  list: z.object({ id: z.uuid(), name: z.string() }).nullable().catch(null),
  /** Lists whose ships keep the colour of their type. */
  plain: z.array(z.uuid()).max(500).catch([]),
  /** UTC microseconds; both null: the time range is off. */
  start: z.int().nullable().catch(null),
  end: z.int().nullable().catch(null),
});

/** Filter of the AIS tab; kept on this machine. */
export type AisFilter = z.output<typeof stored>;

export const usualFilter: AisFilter = stored.parse({});

/** Parts that are missing or wrong are as usual. */
export const readAisFilter = (): AisFilter =>
  stored.safeParse(readStoredJson(storageKeys.aisQueryFilter)).data ?? usualFilter;

export const writeAisFilter = (filter: AisFilter): void =>
  writeStored(storageKeys.aisQueryFilter, JSON.stringify(filter));

export const hasRange = ({ start, end }: AisFilter): boolean => start !== null || end !== null;

/** A number of minutes as it is typed; null where it is none. */
export function minutesOf(text: string): number | null {
  return /^\d{1,7}$/.test(text.trim()) ? (minutes.safeParse(Number(text)).data ?? null) : null;
}

/** Part of a query: what is asked of the server now. A mission is shown whole, unless there is a time range. */
export function toQuery(filter: AisFilter, search: string, nowUs: number) {
  const { mode, aisType, info, mission, list, start, end } = filter;
  const since = mission === null ? nowUs - filter.retention * 60e6 : null;
  const from = hasRange(filter) ? start : since;
  return {
    mode,
    aisType,
    info: info ? ('1' as const) : ('0' as const),
    ...(from !== null && { start: String(Math.round(from)) }),
    ...(hasRange(filter) && end !== null && { end: String(end) }),
    ...(mission !== null && { mission: mission.id }),
    ...(list !== null && { list: list.id }),
    ...(search !== '' && { search }),
  };
}
