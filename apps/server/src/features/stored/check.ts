import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readSetting } from '../../base/db/settings.ts';
import type { StoredFiles } from '../../base/stored/stored-files.ts';

type Result = { name: string; state: 'ok' | 'warning' | 'failed'; text: string };

const LATE_US = 3 * 24 * 3600 * 1_000_000;

/** Whether stored files are what was stored, as far as they were read again. */
export function storedCheck(db: Kysely<Database>, stored: StoredFiles, nowUs: () => number): () => Promise<Result> {
  const name = 'stored bytes';
  return async () => {
    const found = await Promise.all([stored.open(), stored.countNotHashed(), readSetting(db, 'storedCheck')]).catch(
      () => null,
    );
    if (found === null) return { name, state: 'warning', text: 'What is known of stored files cannot be read.' };
    const [open, notHashed, last] = found;
    if (open.length > 0) {
      const files = open.length === 1 ? 'One stored file is' : `${open.length} stored files are`;
      const text = `${files} damaged. Restore them or accept their loss on the page Backups.`;
      return { name, state: 'failed', text };
    }
    const waiting = notHashed === 0 ? '' : ` ${notHashed} files of recordings are not hashed yet.`;
    if (last === null) return { name, state: 'ok', text: `No stored file has been checked yet.${waiting}` };
    const day = new Date(last.started / 1000).toISOString().slice(0, 16).replace('T', ' ');
    if (last.ended === null) {
      const isLate = nowUs() - last.started > LATE_US;
      const text = `Checking stored files since ${day} Z: ${last.files} so far, none damaged.${waiting}`;
      return { name, state: isLate ? 'warning' : 'ok', text };
    }
    const text = `Last check of stored files ${day} Z: ${last.files} read, none damaged.${waiting}`;
    return { name, state: 'ok', text };
  };
}
