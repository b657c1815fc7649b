import { st0601Tags } from '@osprey/klv/tags';
import type { SidecarRow } from './row.ts';

/** Sets a value if it is in the range of the standard; other values would yield a wrong position. */
export function setNumber(values: SidecarRow['values'], tag: number, value: number | null): void {
  const info = st0601Tags.get(tag);
  if (value === null || info === undefined) return;
  const { min, max } = info;
  if ((min !== null && value < min) || (max !== null && value > max)) return;
  values[tag] = value;
}
