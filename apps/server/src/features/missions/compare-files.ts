import { asSystem } from '../../base/access/as-system.ts';
import type { FilesFound } from '../../base/db/settings.ts';
import { LOST } from '../../base/storage/lost.ts';
import type { StoredRef } from '../../base/stored/stored-files.ts';
import type { OrphanDeps } from './orphans.ts';

const PAGE = 1000;
type MissingFile = StoredRef & { key: string };

/**
 * Counts the files that were moved to the folder of lost files, and lists rows whose file is missing. Changes nothing.
 */
export async function compareFiles(deps: OrphanDeps): Promise<Pick<FilesFound, 'lost'> & { missing: MissingFile[] }> {
  const lost = { files: 0, bytes: 0 };
  for await (const { sizeBytes } of deps.storage.list(LOST)) {
    lost.files += 1;
    lost.bytes += sizeBytes;
  }
  const missing = [...(await missingOf(deps, 'files')), ...(await missingOf(deps, 'documents'))];
  return { lost, missing };
}

async function missingOf({ db, storage }: OrphanDeps, noun: StoredRef['noun']): Promise<MissingFile[]> {
  const missing: MissingFile[] = [];
  const rows = asSystem(db, 'sweep').selectFrom(noun).select(['id', 'storage_key']);
  let after: string | null = null;
  for (;;) {
    const page: { id: string; storage_key: string }[] = await rows
      .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of page) {
      if ((await storage.stat(row.storage_key)) !== null) continue;
      // Read the row again, since the file may have been deleted meanwhile: deletion removes the row first and the file
      // second.
      const still = await rows.where('id', '=', row.id).executeTakeFirst();
      if (still === undefined || (await storage.stat(still.storage_key)) !== null) continue;
      missing.push({ noun, id: row.id, key: still.storage_key });
    }
    if (page.length < PAGE) return missing;
    after = page.at(-1)!.id;
  }
}
