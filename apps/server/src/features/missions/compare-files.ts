import { asSystem } from '../../base/access/visibility.ts';
import type { FilesFound } from '../../base/db/settings.ts';
import { LOST } from '../../base/storage/lost.ts';
import type { OrphanDeps } from './orphans.ts';

const PAGE = 1000;
/** Number of places that are named; the rest is counted. */
const NAMED = 20;

/** Content of the folder of lost files, and rows without a file. Looks, and changes nothing. */
export async function compareFiles(deps: OrphanDeps): Promise<FilesFound> {
  const lost = { files: 0, bytes: 0 };
  for await (const { sizeBytes } of deps.storage.list(LOST)) {
    lost.files += 1;
    lost.bytes += sizeBytes;
  }
  const missing = [...(await missingOf(deps, 'files')), ...(await missingOf(deps, 'documents'))];
  return { lost, missing: { files: missing.length, first: missing.slice(0, NAMED) } };
}

async function missingOf({ db, storage }: OrphanDeps, table: 'files' | 'documents'): Promise<string[]> {
  const missing: string[] = [];
  const rows = asSystem(db, 'sweep').selectFrom(table).select(['id', 'storage_key']);
  let after: string | null = null;
  for (;;) {
    const page: { id: string; storage_key: string }[] = await rows
      .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of page) {
      if ((await storage.stat(row.storage_key)) !== null) continue;
      // Deleted between the two looks: row first, file second.
      const still = await rows.where('id', '=', row.id).executeTakeFirst();
      if (still !== undefined && (await storage.stat(still.storage_key)) === null) missing.push(row.storage_key);
    }
    if (page.length < PAGE) return missing;
    after = page.at(-1)!.id;
  }
}
