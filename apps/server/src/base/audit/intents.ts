import { AppError } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { AuditEntry } from '../db/audit-rows.ts';
import type { Database } from '../db/schema.ts';
import { aboutColumns } from './about.ts';
import { aboutNow } from './about-now.ts';
import type { AuditWriter } from './writer.ts';

export type AuditIntents = ReturnType<typeof auditIntents>;

/** Appended to the result of an audit row if the outcome is unknown because the process died. */
export const INTERRUPTED = 'interrupted';

/**
 * Stores a note of each change before it is made, and removes it after the change's audit row is written. If the
 * process dies in between, or the row cannot be written, the next start writes the row from the note, so that no change
 * lacks its row.
 */
export function auditIntents(deps: {
  db: Kysely<Database>;
  /** Node whose chain the rows are appended to. */
  node: string;
  log: { warn: (fields: object, text: string) => void };
}) {
  const { db, node, log } = deps;

  /** @throws AppError unavailable if the note cannot be stored; the change must then not be made */
  async function begin(entry: AuditEntry): Promise<string> {
    try {
      // An asynchronous commit suffices: the commit of the change itself comes later in the same write-ahead log and
      // flushes this one to disk as well.
      const { rows } = await sql<{ id: string }>`
        with quick as (select set_config('synchronous_commit', 'off', true))
        insert into audit_intents (node, entry) select ${node}, ${JSON.stringify(entry)}::jsonb from quick
        returning id`.execute(db);
      return rows[0]!.id;
    } catch (error) {
      throw new AppError('unavailable', {}, error);
    }
  }

  /** Removes a note. If that fails, the only consequence is a superfluous audit row. */
  function end(id: string): void {
    sql`with quick as (select set_config('synchronous_commit', 'off', true))
      delete from audit_intents using quick where id = ${id}`
      .execute(db)
      .catch((error) => log.warn({ error }, 'a note before a change could not be removed'));
  }

  /**
   * Writes the audit rows of interrupted changes, whose outcome is unknown. The rows get the item's current label, so
   * that only readers who may know of the item see them. Call it at the start, before any request is served. Returns
   * the number of rows.
   */
  async function settle(writer: Pick<AuditWriter, 'write'>): Promise<number> {
    const left = await db.selectFrom('audit_intents').select(['id', 'entry']).where('node', '=', node).execute();
    for (const { id, entry } of left) {
      // Before the change, only the item's id may have been known.
      const named = entry.item_label || entry.item_id === null ? {} : aboutColumns(await aboutNow(db, entry.item_id));
      await writer.write({ ...entry, ...named, result: `${entry.result} ${INTERRUPTED}` });
      await db.deleteFrom('audit_intents').where('id', '=', id).execute();
    }
    if (left.length > 0) log.warn({ changes: left.length }, 'changes were interrupted; the audit names them');
    return left.length;
  }

  return { begin, end, settle };
}
