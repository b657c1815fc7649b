import { st0601Tags } from '@osprey/klv/tags';

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const byName = new Map([...st0601Tags.values()].map(({ tag, name }) => [plain(name), tag]));

/** The ST 0601 tag that a column names: `13`, `tag 13`, `Sensor Latitude`, `sensor_latitude`; null for any other text. */
export function tagOf(column: string): number | null {
  const number = /^(?:tag[ _]?)?(\d{1,3})$/i.exec(column.trim())?.[1];
  if (number !== undefined) return st0601Tags.has(Number(number)) ? Number(number) : null;
  return byName.get(plain(column)) ?? null;
}
