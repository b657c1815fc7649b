import { nestedValue, numberOf, numericTags, textTags } from './values.ts';
import type { TelemetryRow } from './writer.ts';

/** One record as a row of `telemetryPage`: values and nested sets by tag number. */
export type LiveRow = {
  tags: Record<string, number | string | null>;
  sets: Record<string, unknown> | null;
};

/** Converts one record read directly from a stream, without an index. */
export function liveRow({ record, bytes }: Pick<TelemetryRow, 'record' | 'bytes'>): LiveRow {
  const tags: LiveRow['tags'] = {};
  for (const { tag } of numericTags) {
    if (record.present[tag] !== 0) tags[tag] = numberOf(record.numbers[tag]!, tag);
  }
  for (const tag of textTags) if (record.present[tag] !== 0) tags[tag] = record.texts[tag] ?? null;
  if (record.nested.length === 0) return { tags, sets: null };
  // If an item occurs more than once in a set, only its last value is returned.
  return { tags, sets: Object.fromEntries(record.nested.map((item) => [item.tag, nestedValue(bytes, item)])) };
}
