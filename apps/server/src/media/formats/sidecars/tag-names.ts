import { st0601Tags } from '@osprey/klv/tags';

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const byName = new Map([...st0601Tags.values()].map(({ tag, name }) => [plain(name), tag]));

/** How tables write the units of ST 0601, in lower case. */
const UNIT_NAMES: Record<string, readonly string[]> = {
  '°': ['deg', 'degree', 'degrees', 'dd'],
  '°/s': ['deg/s', 'dps'],
  '%': ['percent', 'pct'],
  m: ['metre', 'metres', 'meter', 'meters'],
  'm/s': ['mps'],
  mbar: ['hpa', 'mb'],
  px: ['pixel', 'pixels'],
};

/**
 * The ST 0601 tag that a column names: `13`, `tag 13`, `Sensor Latitude`, `sensor_latitude`, with its unit behind it in
 * brackets or without; null for any other text. A column in another unit than that of ST 0601 names none: feet taken
 * for metres would show a place that nobody was at.
 */
export function tagOf(column: string): number | null {
  const text = column.trim();
  // Some names have brackets of their own: `Platform Pitch Angle (Full)`.
  const whole = tagOfName(text);
  const bracket = Math.max(text.lastIndexOf('('), text.lastIndexOf('['));
  if (whole !== null || bracket < 0 || !/[)\]]$/.test(text)) return whole;
  const tag = tagOfName(text.slice(0, bracket).trim());
  const unit = text
    .slice(bracket + 1, -1)
    .trim()
    .toLowerCase();
  return tag !== null && isUnitOf(tag, unit) ? tag : null;
}

function tagOfName(name: string): number | null {
  const number = /^(?:tag[ _]?)?(\d{1,3})$/i.exec(name)?.[1];
  if (number !== undefined) return st0601Tags.has(Number(number)) ? Number(number) : null;
  return byName.get(plain(name)) ?? null;
}

function isUnitOf(tag: number, written: string): boolean {
  const unit = st0601Tags.get(tag)?.unit ?? '';
  return written === unit.toLowerCase() || (UNIT_NAMES[unit]?.includes(written) ?? false);
}
