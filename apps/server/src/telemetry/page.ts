import { TELEMETRY_MAX, type TelemetryPage } from '@osprey/contract';
import { failedTimes } from './failed-sets.ts';
import type { Block, ColumnValues, TelemetryReader } from './reader.ts';
import { nestedValue, numberOf } from './values.ts';
import { type TelemetryFile, walk } from './walk.ts';

export type PageQuery = {
  fromUs: number;
  toUs: number;
  /** Sampling interval in milliseconds, of which only the last record is returned; null: all records are returned. */
  everyMs: number | null;
};

type Row = { timeUs: number; block: Block; row: number };

/** Builds the response of `GET sensors/telemetry`, except for the id of the sensor. */
export async function telemetryPageOf(
  reader: TelemetryReader,
  files: readonly TelemetryFile[],
  { fromUs, toUs, everyMs }: PageQuery,
): Promise<Omit<TelemetryPage, 'sensor'>> {
  const page = createPage();
  const stepUs = everyMs === null ? null : everyMs * 1000;
  // Last record of the current interval. It is returned when a record of the next interval is read.
  let waiting: Row | null = null;
  let more = false;
  for await (const record of walk(reader, files, { fromUs, toUs })) {
    const sameStep = waiting && stepUs !== null && slotOf(waiting, stepUs) === slotOf(record, stepUs);
    if (waiting && !sameStep) page.add(waiting);
    if (page.length() === TELEMETRY_MAX) {
      more = true;
      waiting = null;
      break;
    }
    waiting = record;
  }
  if (waiting) page.add(waiting);
  const columns = page.finish();
  // If the page was cut off, the failed sets after its end are listed by the next page.
  const lastUs = more ? columns.time[columns.time.length - 1]! : toUs;
  const failed = failedTimes(files, fromUs, lastUs);
  return { from: fromUs, to: toUs, more, ...columns, ...(failed.length > 0 && { failed }) };
}

const slotOf = ({ timeUs }: Row, stepUs: number): number => Math.floor(timeUs / stepUs);

function createPage() {
  const time: number[] = [];
  const tags = new Map<number, (number | string | null)[]>();
  const sets: TelemetryPage['sets'] = [];
  // Cache of decoded sets, so that a set that is identical in many records is decoded only once.
  let decodedOf: Block | null = null;
  let decoded = new Map<string, unknown>();

  function add({ timeUs, block, row }: Row): void {
    const i = time.length;
    time.push(timeUs);
    const nested: Record<string, unknown> = {};
    for (const [tag, column] of block.columns) {
      if (column.kind === 'parts') nestedInto(nested, { tag, column, block, row });
      else addValue(tag, i, valueAt(column, row, tag));
    }
    if (Object.keys(nested).length > 0) sets.push({ i, ...nested });
  }

  function addValue(tag: number, i: number, value: number | string | null): void {
    if (value === null) return;
    let values = tags.get(tag);
    if (values === undefined) {
      values = [];
      tags.set(tag, values);
    }
    while (values.length < i) values.push(null);
    values.push(value);
  }

  type Nested = { tag: number; column: ColumnValues & { kind: 'parts' }; block: Block; row: number };

  function nestedInto(target: Record<string, unknown>, { tag, column, block, row }: Nested): void {
    const index = column.indexOf(row);
    if (index < 0) return;
    if (decodedOf !== block) {
      decodedOf = block;
      decoded = new Map();
    }
    const key = `${tag}/${index}`;
    if (!decoded.has(key)) {
      const bytes = column.part(index);
      decoded.set(key, nestedValue(bytes, { tag, start: 0, end: bytes.byteLength }));
    }
    target[tag] = decoded.get(key);
  }

  return {
    add,
    length: () => time.length,
    finish(): Pick<TelemetryPage, 'time' | 'tags' | 'sets'> {
      const filled = [...tags].sort(([a], [b]) => a - b);
      for (const [, values] of filled) while (values.length < time.length) values.push(null);
      return { time, tags: Object.fromEntries(filled), sets };
    },
  };
}

function valueAt(column: Exclude<ColumnValues, { kind: 'parts' }>, row: number, tag: number): number | string | null {
  if (column.kind === 'texts') return column.at(row);
  const value = column.values[row]!;
  return numberOf(value, tag);
}
