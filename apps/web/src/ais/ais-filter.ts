import { AIS_RETENTION_MINUTES, AIS_TRAIL_MINUTES, aisModes, aisTypes } from '@osprey/contract';
import { z } from 'zod';
import { readStoredJson, storageKeys, writeStored } from '../base/keys.ts';

const minutes = z.int().min(1).max(1_000_000);

const stored = z.object({
  mode: z.enum(aisModes).catch('last'),
  aisType: z.enum(aisTypes).catch('vessels'),
  info: z.boolean().catch(true),
  /**
   * Number of minutes for which a ship is shown after its last report (`retention`), and number of minutes covered by
   * its trail (`trail`).
   */
  retention: minutes.catch(AIS_RETENTION_MINUTES),
  trail: minutes.catch(AIS_TRAIL_MINUTES),
  mission: z.object({ id: z.uuid(), name: z.string() }).nullable().catch(null),
  /** Ship list to which the shown ships are limited; null: all ships. */
  list: z.object({ id: z.uuid(), name: z.string() }).nullable().catch(null),
  /** Ids of the lists whose ships keep the colour of their type. */
  plain: z.array(z.uuid()).max(500).catch([]),
  /** Start of the time range, and below its end, in UTC microseconds; if both are null, the time range is off. */
  start: z.int().nullable().catch(null),
  end: z.int().nullable().catch(null),
});

/** Filter of the AIS tab. It is stored in this browser. */
export type AisFilter = z.output<typeof stored>;

export const usualFilter: AisFilter = stored.parse({});

/** Reads the stored filter. Missing or invalid parts get their default values. */
export const readAisFilter = (): AisFilter =>
  stored.safeParse(readStoredJson(storageKeys.aisQueryFilter)).data ?? usualFilter;

export const writeAisFilter = (filter: AisFilter): void =>
  writeStored(storageKeys.aisQueryFilter, JSON.stringify(filter));

export const hasRange = ({ start, end }: AisFilter): boolean => start !== null || end !== null;

/** Parses a typed number of minutes; null if the text is not a valid number of minutes. */
export function minutesOf(text: string): number | null {
  return /^\d{1,7}$/.test(text.trim()) ? (minutes.safeParse(Number(text)).data ?? null) : null;
}

/**
 * Returns the query parameters that request the ships of a filter at the time `nowUs`. A mission is requested in full,
 * unless there is a time range.
 */
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
