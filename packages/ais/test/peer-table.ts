/** Mapping of one of our fields to a peer's: a row of the table of names and scales. */
export type Row = {
  /** Field name used by the peer. */
  peer: string;
  /** Path of our field, such as `eta.month`. */
  ours: string;
  /** Factor from our number to the peer's. */
  scale?: number;
  /** Value that the peer uses for null. */
  none?: unknown;
  /** Converts our value to the peer's, if a scale is not enough. */
  as?: (value: unknown) => unknown;
};

export type Difference = { field: string; peer: unknown; ours: unknown };

function valueAt(message: object, path: string): unknown {
  let value: unknown = message;
  for (const name of path.split('.')) {
    if (value === null || value === undefined) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function converted(value: unknown, { scale, none, as }: Row): unknown {
  if (value === null || value === undefined) return none ?? null;
  if (as !== undefined) return as(value);
  return typeof value === 'number' && scale !== undefined ? value * scale : value;
}

const isEqual = (peer: unknown, ours: unknown, tolerance: number): boolean =>
  typeof peer === 'number' && typeof ours === 'number' ? Math.abs(peer - ours) <= tolerance : peer === ours;

/**
 * Compares every field of a peer's message with ours.
 *
 * @param ignored the peer's field names that repeat others, or are spare bits
 * @returns the differences; a field that is not in the table counts as one
 */
export function differences(
  peer: Record<string, unknown>,
  message: object,
  rows: readonly Row[],
  { ignored, tolerance }: { ignored: ReadonlySet<string>; tolerance: number },
): Difference[] {
  const existing = new Map(rows.map((row) => [row.peer, row]));
  const found: Difference[] = [];
  for (const [field, value] of Object.entries(peer)) {
    if (ignored.has(field)) continue;
    const row = existing.get(field);
    const ours = row === undefined ? undefined : converted(valueAt(message, row.ours), row);
    if (!isEqual(value, ours, tolerance)) found.push({ field, peer: value, ours });
  }
  return found;
}

/** Returns one line for each kind of difference, with its number of occurrences and its first values. */
export function summary(found: readonly (Difference & { type: number })[]): string[] {
  const lines = new Map<string, { count: number; first: Difference }>();
  for (const difference of found) {
    const key = `${difference.type} ${difference.field}`;
    const line = lines.get(key) ?? { count: 0, first: difference };
    line.count++;
    lines.set(key, line);
  }
  return [...lines]
    .map(([key, { count, first }]) => `${key}: ${count} (${show(first.peer)} / ${show(first.ours)})`)
    .sort();
}

const show = (value: unknown) => JSON.stringify(value) ?? 'none';
