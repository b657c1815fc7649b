import { backupOrigins, timeStamp } from '@osprey/contract';
import type { BackupHeader } from './target.ts';

/**
 * Returns the name of a backup: "20261122-013000-manual". It is in UTC, so that names sort by time. A second backup
 * within the same second gets a number.
 */
export function backupNameOf(timeUs: number, origin: BackupHeader['origin'], taken: ReadonlySet<string>): string {
  const name = `${timeStamp(timeUs)}-${origin}`;
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

/** Reads the facts contained in a backup's name. */
export function readBackupName(name: string): Pick<BackupHeader, 'created' | 'origin'> {
  const [, day = '', time = '', origin] = /^(\d{8})-(\d{6})-([a-z]+)/.exec(name) ?? [];
  const iso = `${day}${time}`.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z');
  const known = backupOrigins.find((one) => one === origin) ?? 'manual';
  return { created: (Date.parse(iso) || 0) * 1000, origin: known };
}

/** Returns the last moment, not later than now, at which a scheduled backup was due. `schedule` is `HH:MM` in UTC. */
export function lastDue(schedule: string, nowUs: number): number {
  const [hours = 0, minutes = 0] = schedule.split(':').map(Number);
  const day = new Date(nowUs / 1000);
  const today = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hours, minutes) * 1000;
  return today <= nowUs ? today : today - DAY_US;
}

export const nextDue = (schedule: string, nowUs: number): number => lastDue(schedule, nowUs) + DAY_US;

const DAY_US = 24 * 3600 * 1_000_000;
