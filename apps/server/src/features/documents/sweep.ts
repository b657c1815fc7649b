import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { isFreeOfCases } from '../../base/items/case-hold.ts';
import { documentFolder } from './pictures.ts';

/** Time for which the bin keeps a document: 30 days. */
const BIN_US = 30 * 24 * 3_600_000_000;

type Deps = {
  db: Kysely<Database>;
  nowUs: () => number;
  log: { info: (fields: object, text: string) => void };
};

/**
 * Deletes documents that have been in the bin for 30 days. Deletes the rows first and notes their folders in the same
 * transaction; the worker removes the folders, even after a crash. Call it every hour.
 */
export async function sweepDocuments({ db, nowUs, log }: Deps): Promise<void> {
  const since = nowUs();
  const emptied = await db.transaction().execute(async (tx) => {
    const gone = await asSystem(tx, 'sweep')
      .deleteFrom('documents')
      .where('deleted_time', '<', since - BIN_US)
      .where(isFreeOfCases('subject_id', 'documents.id'))
      .returning('id')
      .execute();
    if (gone.length === 0) return 0;
    await tx
      .insertInto('doomed_folders')
      .values(gone.map(({ id }) => ({ folder: documentFolder(id), since })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return gone.length;
  });
  if (emptied > 0) log.info({ emptied }, 'documents removed for good');
}
