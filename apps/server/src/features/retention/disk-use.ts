import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { type DiskUse, readSetting, writeSetting } from '../../base/db/settings.ts';
import type { Storage } from '../../base/storage/storage.ts';

const DAY_US = 24 * 3_600_000_000;
const DAYS = 30;
/** Minimum number of days for a growth rate; a shorter period shows single uploads rather than how the disk fills. */
const DAYS_MIN = 2;

type Deps = { db: Kysely<Database>; storage: Pick<Storage, 'space'> };

/** Records the used disk space once a day, for the last 30 days. More frequent calls do nothing. */
export async function noteDiskUse({ db, storage }: Deps, nowUs: number): Promise<void> {
  const known = await readSetting(db, 'diskUse');
  const last = known.at(-1);
  if (last !== undefined && nowUs >= last.time && nowUs - last.time < DAY_US) return;
  const { freeBytes, totalBytes } = await storage.space();
  // Entries in the future are dropped, which occur if the clock was set back.
  const retained = known.filter(({ time }) => time <= nowUs && time > nowUs - DAYS * DAY_US);
  await writeSetting(db, 'diskUse', [...retained, { time: nowUs, usedBytes: totalBytes - freeBytes }]);
}

/**
 * Returns the growth of used disk space in bytes per day: recordings, documents, backups, live video and database
 * together.
 */
export function diskGrowth(noted: readonly DiskUse[], now: DiskUse): number {
  const [first] = noted.filter(({ time }) => time > now.time - (DAYS + 1) * DAY_US && time <= now.time);
  if (first === undefined) return 0;
  const days = (now.time - first.time) / DAY_US;
  return days < DAYS_MIN ? 0 : Math.max(0, (now.usedBytes - first.usedBytes) / days);
}
