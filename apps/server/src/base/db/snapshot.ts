import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './schema.ts';

/** Whether what was read holds the change of a transaction, by its pg_current_xact_id(). */
export type IsSeen = (xid: string) => boolean;

/** Runs several reads in one snapshot of the database. */
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

/** A moment as PostgreSQL writes it: `xmin:xmax:xid,xid`, the last being transactions that were not committed yet. */
function seenIn(moment: string): IsSeen {
  const [, end = '0', running = ''] = moment.split(':');
  const unseen = new Set(running.split(','));
  return (xid) => BigInt(xid) < BigInt(end) && !unseen.has(xid);
}
