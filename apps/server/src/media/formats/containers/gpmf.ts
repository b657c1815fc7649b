import type { SidecarRow } from '../sidecars/row.ts';

/** Positions in one payload of a GPMF track; times are those of the presentation, in seconds. */
export type GpmfPayload = {
  rows: SidecarRow[] /** UTC at a time of the presentation; null without a fix. */;
  utc: { us: number; seconds: number } | null;
};

type Item = { key: string; type: number; size: number; repeat: number; start: number; end: number };

const NESTED = 0;
const DEPTH_MAX = 4;
/** Values of GPSF, and of the last item of GPS9: 0 no fix, 2 two-dimensional, 3 three-dimensional. */
const FIX_2D = 2;
const FIX_3D = 3;
const DAY_US = 86_400_000_000;
const GPS9_EPOCH_US = Date.UTC(2000, 0, 1) * 1000;
const TAG = { latitude: 13, longitude: 14, altitude: 15, groundSpeed: 56, ellipsoidHeight: 75 } as const;
/** Size of a GPS9 reading: seven 32-bit numbers and two 16-bit numbers. */
const GPS9_BYTES = 32;
const GPS5_BYTES = 20;

/**
 * Reads one sample of a GoPro metadata track (GPMF, github.com/gopro/gpmf-parser): the streams GPS5 and GPS9. The
 * values of a payload are spread evenly over its duration. Readings without a fix are left out, since the receiver then
 * repeats its last position.
 */
export function readGpmf(bytes: Uint8Array, seconds: number, durationSeconds: number): GpmfPayload {
  const found: GpmfPayload = { rows: [], utc: null };
  const streams = [...streamsOf(bytes, 0, bytes.length, 0)].map(
    (stream) => new Map([...itemsOf(bytes, stream.start, stream.end)].map((item) => [item.key, item])),
  );
  // HERO11 writes the same readings in both forms. GPS9 is preferred, since it contains the time and the fix of each
  // reading.
  const isNew = streams.some((items) => items.has('GPS9'));
  for (const items of streams) {
    if (items.has(isNew ? 'GPS9' : 'GPS5')) readStream(bytes, items, found, { seconds, durationSeconds });
  }
  return found;
}

/** Yields the items in [start, end): key, type, size, repetitions, and content padded to four bytes. */
function* itemsOf(bytes: Uint8Array, start: number, end: number): Generator<Item> {
  const view = viewOf(bytes);
  for (let at = start; at + 8 <= end; ) {
    const key = String.fromCharCode(...bytes.subarray(at, at + 4));
    const size = bytes[at + 5]!;
    const repeat = view.getUint16(at + 6);
    const length = size * repeat;
    const next = at + 8 + Math.ceil(length / 4) * 4;
    if (next > end) return;
    yield { key, type: bytes[at + 4]!, size, repeat, start: at + 8, end: at + 8 + length };
    at = next;
  }
}

function* streamsOf(bytes: Uint8Array, start: number, end: number, depth: number): Generator<Item> {
  for (const item of itemsOf(bytes, start, end)) {
    if (item.type !== NESTED) continue;
    if (item.key === 'STRM') yield item;
    else if (depth < DEPTH_MAX) yield* streamsOf(bytes, item.start, item.end, depth + 1);
  }
}

type Span = { seconds: number; durationSeconds: number };

function readStream(bytes: Uint8Array, items: ReadonlyMap<string, Item>, found: GpmfPayload, span: Span): void {
  const isOverSea = textOf(bytes, items.get('GPSA')) === 'MSLV';
  const scales = scalesOf(bytes, items.get('SCAL'));
  const gps5 = items.get('GPS5');
  const gps9 = items.get('GPS9');
  if (gps9 && gps9.size === GPS9_BYTES) readGps9(bytes, gps9, found, { ...span, scales, isOverSea });
  else if (gps5 && gps5.size === GPS5_BYTES) readGps5(bytes, gps5, found, { ...span, scales, isOverSea, items });
}

type Gps5 = Values & { items: ReadonlyMap<string, Item> };

/** Reads the positions of a GPS5 item. Time and fix are in separate items of the same stream, once per payload. */
function readGps5(bytes: Uint8Array, gps5: Item, found: GpmfPayload, { items, ...values }: Gps5): void {
  const fixItem = items.get('GPSF');
  const fix = fixItem && fixItem.size === 4 ? viewOf(bytes).getUint32(fixItem.start) : 0;
  if (fix < FIX_2D) return;
  const us = utcOf(textOf(bytes, items.get('GPSU')));
  if (us !== null) found.utc = { us, seconds: values.seconds };
  const view = viewOf(bytes);
  for (let n = 0; n < gps5.repeat; n++) {
    const value = (k: number) =>
      view.getInt32(gps5.start + GPS5_BYTES * n + 4 * k) / (values.scales[k] ?? values.scales[0] ?? 1);
    found.rows.push(rowOf([value(0), value(1), value(2), value(3)], { n, of: gps5.repeat, fix, ...values }));
  }
}

type Values = Span & { scales: readonly number[]; isOverSea: boolean };

function readGps9(bytes: Uint8Array, item: Item, found: GpmfPayload, values: Values): void {
  const view = viewOf(bytes);
  for (let n = 0; n < item.repeat; n++) {
    const at = item.start + GPS9_BYTES * n;
    const scaled = (k: number, raw: number) => raw / (values.scales[k] ?? 1);
    const fix = scaled(8, view.getUint16(at + 30));
    if (fix < FIX_2D) continue;
    const [latitude, longitude, altitude, speed] = [0, 1, 2, 3].map((k) => scaled(k, view.getInt32(at + 4 * k)));
    const row = rowOf([latitude!, longitude!, altitude!, speed!], { n, of: item.repeat, fix, ...values });
    const days = scaled(5, view.getInt32(at + 20));
    const us = GPS9_EPOCH_US + days * DAY_US + scaled(6, view.getInt32(at + 24)) * 1e6;
    if (days > 0) found.utc ??= { us, seconds: row.timeUs / 1e6 };
    found.rows.push(row);
  }
}

type Place = Span & { n: number; of: number; fix: number; isOverSea: boolean };

function rowOf([latitude, longitude, altitude, speed]: [number, number, number, number], place: Place): SidecarRow {
  const { n, of, fix, isOverSea, seconds, durationSeconds } = place;
  const height = isOverSea ? TAG.altitude : TAG.ellipsoidHeight;
  return {
    timeUs: Math.round((seconds + (durationSeconds * n) / of) * 1e6),
    values: {
      [TAG.latitude]: latitude,
      [TAG.longitude]: longitude,
      [TAG.groundSpeed]: speed,
      ...(fix >= FIX_3D && { [height]: altitude }),
    },
  };
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const textOf = (bytes: Uint8Array, item: Item | undefined): string =>
  item ? Buffer.from(bytes.subarray(item.start, item.end)).toString('latin1').replace(/\0.*$/s, '') : '';

/** Reads SCAL: one divisor for all values, or one for each, with 16 or 32 bits. */
function scalesOf(bytes: Uint8Array, item: Item | undefined): number[] {
  if (!item || (item.size !== 2 && item.size !== 4)) return [];
  const view = viewOf(bytes);
  return Array.from({ length: item.repeat }, (_, n) =>
    item.size === 2 ? view.getInt16(item.start + 2 * n) : view.getInt32(item.start + 4 * n),
  ).map((scale) => scale || 1);
}

/** Parses GPSU: yymmddhhmmss.sss. */
function utcOf(text: string): number | null {
  const found = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{3}))?/.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second, ms] = found.slice(1).map((digits) => Number(digits ?? 0));
  const at = Date.UTC(2000 + year!, month! - 1, day, hour, minute, second, ms);
  return Number.isNaN(at) || month === 0 || day === 0 ? null : at * 1000;
}
