import { decodeSt0601Item, type NestedItem, st0601Tags, type Value } from '@osprey/klv';

const TIME_TAG = 2;

export const textTags = [...st0601Tags.values()].filter((info) => info.format === 'utf8').map((info) => info.tag);
/**
 * All numeric tags except the checksum, which is verified and dropped, and the time, which is stored in a separate
 * column.
 */
export const numericTags = [...st0601Tags.values()].filter(
  (info) => info.tag > TIME_TAG && ['uint', 'int', 'imapb', 'enum', 'flags', 'time'].includes(info.format),
);

/** Number of decimals needed to distinguish neighbouring values of a tag. */
const decimals = new Map(
  [...st0601Tags.values()].flatMap(({ tag, resolution }) =>
    resolution === null ? [] : [[tag, Math.max(0, Math.ceil(-Math.log10(resolution)))] as const],
  ),
);

/** Returns a value in the form sent to clients: rounded to the resolution of its tag; null if unknown. */
export function numberOf(value: number, tag: number): number | null {
  if (Number.isNaN(value)) return null;
  const places = decimals.get(tag);
  if (places === undefined) return value;
  const scale = 10 ** places;
  return Math.round(value * scale) / scale;
}

/** Returns a nested set or pack in the form sent to clients. */
export function nestedValue(bytes: Uint8Array, item: NestedItem): unknown {
  return plain(decodeSt0601Item(bytes, item));
}

/** Converts a value to JSON: bytes become a hex string, everything else is unchanged. */
function plain(value: Value): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
  }
  return value;
}
