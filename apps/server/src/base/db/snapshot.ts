import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './schema.ts';

/** Whether the snapshot includes the changes of a transaction, given its pg_current_xact_id(). */
export type IsSeen = (xid: string) => boolean;

/** Runs several reads in one database snapshot. `isSeen` determines which transactions the snapshot includes. */
export function readAtOnce<Result>(
  db: Kysely<Database>,
  read: (tx: Transaction<Database>, isSeen: IsSeen) => Promise<Result>,
): Promise<Result> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { rows } = await sql<{ moment: string }>`select pg_current_snapshot()::text as moment`.execute(tx);
      return read(tx, seenIn(rows[0]?.moment ?? ''));
    });
}

/** Parses a PostgreSQL snapshot, `xmin:xmax:xid,xid`; the list at the end contains transactions not yet committed. */
function seenIn(moment: string): IsSeen {
  const [, end = '0', running = ''] = moment.split(':');
  const unseen = new Set(running.split(','));
  return (xid) => BigInt(xid) < BigInt(end) && !unseen.has(xid);
}
