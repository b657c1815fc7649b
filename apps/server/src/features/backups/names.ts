import { backupOrigins, timeStamp } from '@osprey/contract';
import type { BackupHeader } from './target.ts';

/** "20261122-013000-manual"; UTC, so that names sort as they were made. A second one within a second is numbered. */
export function backupNameOf(timeUs: number, origin: BackupHeader['origin'], taken: ReadonlySet<string>): string {
  const name = `${timeStamp(timeUs)}-${origin}`;
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

/** Facts of a backup in its name. */
export function readBackupName(name: string): Pick<BackupHeader, 'created' | 'origin'> {
  const [, day = '', time = '', origin] = /^(\d{8})-(\d{6})-([a-z]+)/.exec(name) ?? [];
  const iso = `${day}${time}`.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z');
  const known = backupOrigins.find((one) => one === origin) ?? 'manual';
  return { created: (Date.parse(iso) || 0) * 1000, origin: known };
}

/** The last moment at or before now at which a backup was due; `HH:MM`, UTC. */
export function lastDue(schedule: string, nowUs: number): number {
  const [hours = 0, minutes = 0] = schedule.split(':').map(Number);
  const day = new Date(nowUs / 1000);
  const today = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hours, minutes) * 1000;
  return today <= nowUs ? today : today - DAY_US;
}

export const nextDue = (schedule: string, nowUs: number): number => lastDue(schedule, nowUs) + DAY_US;

const DAY_US = 24 * 3600 * 1_000_000;
