import type { Kysely } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';

/** Author and creation time of a document in the system from which it is imported. */
type Origin = { author_id: string | null; author: string; creation_time: number };

/** Creates the documents of an imported archive. */
export const importedDocuments = (db: Kysely<Database>) => ({
  async isMade(id: string): Promise<boolean> {
    const row = await asSystem(db, 'import')
      .selectFrom('documents')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  },

  async keepOrigin(tx: Db, id: string, origin: Origin): Promise<void> {
    await asSystem(tx, 'import').updateTable('documents').set(origin).where('id', '=', id).execute();
  },
});
