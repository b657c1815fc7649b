import type { Kysely } from 'kysely';
import { migrate } from '../../base/db/migrate.ts';
import type { Database } from '../../base/db/schema.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { readEntries, readFile } from './files.ts';
import { restoreDatabase } from './proof.ts';
import { BackupDamaged } from './seal.ts';
import { holdsFiles, readHeader, readManifest, type Sealed } from './target.ts';

export type Restoring = Sealed & {
  /** Empty database. */
  db: Kysely<Database>;
  url: string;
  dataDir: string;
  systemHigh: number;
  say: (line: string) => void;
};

/**
 * Restores a backup into an empty installation: first the files, then the rows, and then the migration to this server's
 * schema. Sessions of browsers are not restored.
 *
 * @throws BackupDamaged
 */
export async function restoreBackup({ dataDir, say, ...restoring }: Restoring): Promise<void> {
  const { target, name, db } = restoring;
  const header = await readHeader(target, name);
  if (header === null) throw new BackupDamaged(`There is no backup ${name}.`);
  const content = await readManifest(restoring);
  say(`Restoring ${name}: ${header.rows} rows of version ${header.schemaVersion}, ${header.files} files.`);
  // Rows come last, so that an aborted restore leaves an empty database and can be started again.
  if (holdsFiles(header, content)) await restoreFiles(restoring, { dataDir, count: content.files.count, say });
  await restoreDatabase({ ...restoring, content, withoutSessions: true });
  await migrate(db);
}

type Files = { dataDir: string; count: number; say: (line: string) => void };

async function restoreFiles(sealed: Sealed, { dataDir, count: requested, say }: Files): Promise<void> {
  const data = folderStorage({ root: dataDir });
  let count = 0;
  for await (const entry of readEntries(sealed)) {
    await data.put(entry.key, readFile(sealed, entry));
    count += 1;
    if (count % 1000 === 0) say(`${count} of ${requested} files`);
  }
  if (count !== requested) throw new BackupDamaged('The list of files is not whole.');
}
