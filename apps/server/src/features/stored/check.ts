import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readSetting, type StoredCheck } from '../../base/db/settings.ts';
import type { StoredFiles } from '../../base/stored/stored-files.ts';

type Result = { name: string; state: 'ok' | 'warning' | 'failed'; text: string };

const DAY_US = 24 * 3600 * 1_000_000;

export type StoredCheckDeps = {
  db: Kysely<Database>;
  stored: Pick<StoredFiles, 'open' | 'countNotHashed' | 'oldestRead'>;
  nowUs: () => number;
  /** Number of days within which all stored bytes are read again. */
  days: number;
};

/** Health check of stored files: whether those read again still have their content, and how long ago they were read. */
export function storedCheck({ db, stored, nowUs, days }: StoredCheckDeps): () => Promise<Result> {
  const name = 'stored bytes';
  return async () => {
    const found = await Promise.all([
      stored.open(),
      stored.countNotHashed(),
      readSetting(db, 'storedCheck'),
      stored.oldestRead(),
    ]).catch(() => null);
    if (found === null) return { name, state: 'warning', text: 'What is known of stored files cannot be read.' };
    const [open, notHashed, last, oldest] = found;
    if (open.length > 0) {
      const files = open.length === 1 ? 'One stored file is' : `${open.length} stored files are`;
      const text = `${files} damaged. Restore them or accept their loss on the page Backups.`;
      return { name, state: 'failed', text };
    }
    const waiting = notHashed === 0 ? '' : ` ${notHashed} files of recordings are not hashed yet.`;
    if (oldest === null) return { name, state: 'ok', text: `There is no stored file.${waiting}` };
    const ageDays = (nowUs() - oldest) / DAY_US;
    const rate = last === null ? null : rateOf(last, nowUs());
    const speed = rate === null ? '' : ` Stored files are read again at ${(rate / 1e6).toFixed(1)} MB/s.`;
    const age = `The bytes that are unread for the longest time were written or read ${ageDays.toFixed(1)} days ago.`;
    if (ageDays <= days) return { name, state: 'ok', text: `${age}${speed}${waiting}` };
    const text = `${age} All bytes are to be read within ${days} days.${speed}${waiting}`;
    return { name, state: 'warning', text };
  };
}

/** Returns the speed of the last daily check in bytes per second, including pauses; null right at its beginning. */
export function rateOf({ started, ended, bytes }: StoredCheck, nowUs: number): number | null {
  const us = (ended ?? nowUs) - started;
  return us > 0 ? bytes / (us / 1e6) : null;
}
