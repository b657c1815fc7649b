import { st0601Tags } from '@osprey/klv';
import type { Block, TelemetryReader } from '../../../telemetry/reader.ts';
import { nestedValue, numberOf } from '../../../telemetry/values.ts';
import { numberAt, type Step, type TelemetryFile, walk } from '../../../telemetry/walk.ts';

/** The telemetry to write: a span of a sensor, both ends in UTC microseconds. */
export type TelemetrySource = {
  reader: TelemetryReader;
  files: readonly TelemetryFile[];
  fromUs: number;
  toUs: number;
  /** Times in which nothing was recorded. */
  gaps: readonly { start: number; end: number }[];
};

/** Facts written at the beginning of each file. */
export type TelemetryHead = { label: string; mission: string; sensor: string };

/**
 * Maximum time between records that are joined by a line, in microseconds. After a longer gap, the path in between is
 * unknown.
 */
const GAP_US = 10_000_000;
const [LAT, LON, ALTITUDE] = [13, 14, 15];

const records = ({ reader, files, fromUs, toUs }: TelemetrySource, tags?: ReadonlySet<number>): AsyncGenerator<Step> =>
  walk(reader, files, { fromUs, toUs: toUs - 1, ...(tags && { tags }) });

export type Place = { timeUs: number; lat: number; lon: number; altitudeM: number | null };

/** Yields the platform's positions in order of time. A position that is not later than the previous one is skipped. */
export async function* places(source: TelemetrySource): AsyncGenerator<Place> {
  let lastUs = Number.NEGATIVE_INFINITY;
  for await (const step of records(source, new Set([LAT, LON, ALTITUDE]))) {
    const [lat, lon] = [rounded(numberAt(step, LAT), LAT), rounded(numberAt(step, LON), LON)];
    if (lat === null || lon === null || step.timeUs <= lastUs) continue;
    lastUs = step.timeUs;
    yield { timeUs: step.timeUs, lat, lon, altitudeM: rounded(numberAt(step, ALTITUDE), ALTITUDE) };
  }
}

const rounded = (value: number, tag: number): number | null => (Number.isNaN(value) ? null : numberOf(value, tag));

/** Whether there is a gap between two moments, in which nothing was recorded. */
export function isGap({ gaps }: Pick<TelemetrySource, 'gaps'>, fromUs: number, toUs: number): boolean {
  return toUs - fromUs > GAP_US || gaps.some(({ start, end }) => start >= fromUs - 1 && end <= toUs + 1 && end > start);
}

/** Finds the parts without gaps that contain at least two positions. Returns their start and end times. */
export async function stretches(source: TelemetrySource): Promise<[fromUs: number, toUs: number][]> {
  const found: [number, number][] = [];
  for await (const { timeUs } of places(source)) {
    const last = found.at(-1);
    if (last && !isGap(source, last[1], timeUs)) last[1] = timeUs;
    else found.push([timeUs, timeUs]);
  }
  return found;
}

/** Returns the source limited to one part. */
export const within = (source: TelemetrySource, [fromUs, toUs]: readonly [number, number]): TelemetrySource => ({
  ...source,
  fromUs,
  toUs: toUs + 1,
});

/** Any value of a record as a cell: numbers and texts as they are, sets and packs as JSON. */
export type Cell = number | string | null;

/** Tags that occur in the span. */
export async function tagsOf(source: TelemetrySource): Promise<number[]> {
  const found = new Set<number>();
  let last: Block | null = null;
  for await (const { block } of records(source)) {
    if (block === last) continue;
    last = block;
    for (const tag of block.columns.keys()) found.add(tag);
  }
  return [...found].sort((a, b) => a - b);
}

/** Every record with the values of these tags. */
export async function* cells(
  source: TelemetrySource,
  tags: readonly number[],
): AsyncGenerator<{ timeUs: number; values: Cell[] }> {
  for await (const step of records(source)) yield { timeUs: step.timeUs, values: tags.map((tag) => cellOf(step, tag)) };
}

function cellOf({ block, row }: Step, tag: number): Cell {
  const column = block.columns.get(tag);
  if (column === undefined) return null;
  if (column.kind === 'numbers') return rounded(column.values[row]!, tag);
  if (column.kind === 'texts') return column.at(row);
  const index = column.indexOf(row);
  if (index < 0) return null;
  const bytes = column.part(index);
  return JSON.stringify(nestedValue(bytes, { tag, start: 0, end: bytes.byteLength }));
}

/** Tags needed for footprints: platform, angles, frame centre and corners. */
const GROUND_TAGS = new Set([5, 6, 7, ...range(13, 33), ...range(82, 91)]);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

export type Moment = Place & { values: Record<string, number> };

/** Positions with the values from which their footprints are made. */
export async function* moments(source: TelemetrySource): AsyncGenerator<Moment> {
  let lastUs = Number.NEGATIVE_INFINITY;
  for await (const step of records(source, GROUND_TAGS)) {
    if (step.timeUs <= lastUs) continue;
    const values: Record<string, number> = {};
    for (const tag of GROUND_TAGS) {
      const value = rounded(numberAt(step, tag), tag);
      if (value !== null) values[tag] = value;
    }
    const [lat, lon] = [values[LAT], values[LON]];
    if (lat === undefined || lon === undefined) continue;
    lastUs = step.timeUs;
    yield { timeUs: step.timeUs, lat, lon, altitudeM: values[ALTITUDE] ?? null, values };
  }
}

/** Returns the name and unit of a tag, for the title of a column. */
export function tagTitle(tag: number): string {
  const info = st0601Tags.get(tag);
  if (info === undefined) return `Tag ${tag}`;
  return info.unit === null || info.unit === '' ? info.name : `${info.name} (${info.unit})`;
}

/** ISO 8601 in UTC to the microsecond. */
export function isoMicros(timeUs: number): string {
  const whole = new Date(Math.floor(timeUs / 1000)).toISOString();
  return `${whole.slice(0, -1)}${String(timeUs - Math.floor(timeUs / 1000) * 1000).padStart(3, '0')}Z`;
}

/** ISO 8601 in UTC to the millisecond, for formats whose readers accept no more digits. */
export const isoMillis = (timeUs: number): string => new Date(Math.round(timeUs / 1000)).toISOString();

/** Formats degrees with nine decimal places and without an exponent. */
export const degrees = (value: number): string => value.toFixed(9);
