import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Role, roles } from '@osprey/contract';

// Parsers of option values. Each returns undefined for a value that is not allowed.

export const text = (value: string) => (value.trim() === '' ? undefined : value.trim());
export const yesOrNo = (value: string) => ({ '1': true, true: true, '0': false, false: false })[value];
export const oneOf =
  <T extends string>(...allowed: readonly T[]) =>
  (value: string) =>
    allowed.find((entry) => entry === value);
export const between = (low: number, high: number) => (value: string) =>
  /^\d{1,12}$/.test(value) && Number(value) >= low && Number(value) <= high ? Number(value) : undefined;
/** Parses a number of bytes. A suffix multiplies it by a power of 1024. */
export const bytes = (value: string) => {
  const [, digits, suffix = ''] = /^(\d{1,15}(?:\.\d{1,3})?) ?([KMGT]?)(?:i?B)?$/i.exec(value) ?? [];
  const count = Math.round(Number(digits) * 1024 ** ['', 'K', 'M', 'G', 'T'].indexOf(suffix.toUpperCase()));
  return digits !== undefined && Number.isSafeInteger(count) ? count : undefined;
};
export const entries = (value: string) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
export const listOf =
  (isGood: (entry: string) => boolean) =>
  (value: string): string[] | undefined =>
    entries(value).every(isGood) ? entries(value) : undefined;
export const listOfRoles = (value: string) =>
  listOf((entry) => roles.some((role) => role === entry))(value) as Role[] | undefined;
/** Parses a range of two different ports, lower port first: 47000-47999. */
export const portRange = (value: string): [number, number] | undefined => {
  const [low, high, ...rest] = value.split('-').map((port) => between(1024, 65_535)(port));
  return low !== undefined && high !== undefined && rest.length === 0 && low < high ? [low, high] : undefined;
};
/** Parses `NAME=/dev/ttyUSB0@38400`, comma separated. Without a speed, 38,400 baud is used, as for AIS. */
export const serialPorts = (value: string): ReadonlyMap<string, { path: string; baud: number }> | undefined => {
  const ports = entries(value).map((entry) => /^([\w-]{1,32})=(\/[^@,]+?)(?:@(\d{3,7}))?$/.exec(entry));
  if (!ports.every((port) => port !== null)) return undefined;
  return new Map(ports.map(([, name = '', path = '', baud = '38400']) => [name, { path, baud: Number(baud) }]));
};
export const file = (value: string) => (existsSync(value) ? resolve(value) : undefined);
