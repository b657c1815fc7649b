import { AppError } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { AuditEntry } from '../db/audit-rows.ts';
import type { Database } from '../db/schema.ts';
import { aboutColumns } from './about.ts';
import { aboutNow } from './about-now.ts';
import type { AuditWriter } from './writer.ts';

export type AuditIntents = ReturnType<typeof auditIntents>;

/** Suffix of an audit result whose outcome is unknown because the process died. */
export const INTERRUPTED = 'interrupted';

/**
 * Notes each change before it is made; the note is removed after its audit row is written. If the process dies in
 * between, or the row cannot be kept, the next start writes the row from the note: no change is without its row.
 */
export function auditIntents(deps: {
  db: Kysely<Database>;
  /** The chain that the rows go to. */
  node: string;
  log: { warn: (fields: object, text: string) => void };
}) {
  const { db, node, log } = deps;

  /** @throws AppError unavailable when it cannot be kept: then nothing must be changed */
  async function begin(entry: AuditEntry): Promise<string> {
    try {
      // The commit of the change, which comes later in the same log, brings this one to the disk.
      const { rows } = await sql<{ id: string }>`
        with quick as (select set_config('synchronous_commit', 'off', true))
        insert into audit_intents (node, entry) select ${node}, ${JSON.stringify(entry)}::jsonb from quick
        returning id`.execute(db);
      return rows[0]!.id;
    } catch (error) {
      throw new AppError('unavailable', {}, error);
    }
  }

  /** A note that is left over only costs a superfluous row. */
  function end(id: string): void {
    sql`with quick as (select set_config('synchronous_commit', 'off', true))
      delete from audit_intents using quick where id = ${id}`
      .execute(db)
      .catch((error) => log.warn({ error }, 'a note before a change could not be removed'));
  }

  /**
   * Call it at the start, before anything is served. Writes the rows of changes with an unknown outcome, with the label
   * that the item has now, so that they are shown to readers who may know of it. Returns how many.
   */
  async function settle(writer: Pick<AuditWriter, 'write'>): Promise<number> {
    const left = await db.selectFrom('audit_intents').select(['id', 'entry']).where('node', '=', node).execute();
    for (const { id, entry } of left) {
      // Before the change nothing but the id was known.
      const named = entry.item_label || entry.item_id === null ? {} : aboutColumns(await aboutNow(db, entry.item_id));
      await writer.write({ ...entry, ...named, result: `${entry.result} ${INTERRUPTED}` });
      await db.deleteFrom('audit_intents').where('id', '=', id).execute();
    }
    if (left.length > 0) log.warn({ changes: left.length }, 'changes were interrupted; the audit names them');
    return left.length;
  }

  return { begin, end, settle };
}
