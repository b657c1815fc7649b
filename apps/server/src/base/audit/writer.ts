import { AppError } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { AuditEntry, ChainedRow } from '../db/audit-rows.ts';
import type { Database } from '../db/schema.ts';
import { chained, GENESIS } from './chain.ts';

/** Maximum number of rows in one commit. Rows that arrive during a commit share the next one. */
const GROUP_ROWS = 500;
/** Maximum number of waiting rows. A longer queue means that the database cannot keep up. */
const QUEUE_ROWS = 20_000;

export type AuditWriter = ReturnType<typeof auditWriter>;

type ChainEnd = Pick<ChainedRow, 'seq' | 'hash'>;
type Waiting = { entry: AuditEntry; resolve: () => void; reject: (error: unknown) => void };

export type AuditWriterDeps = {
  db: Kysely<Database>;
  /** Name of this node; each node has its own chain. */
  node: string;
  /** Called with the number of rows that were added. */
  committed?: (rows: number) => void;
  log: { error: (fields: object, text: string) => void };
};

/** Appends to the audit. `write` resolves when the row is committed; many writers share one commit. */
export function auditWriter({ db, node, committed, log }: AuditWriterDeps) {
  const queue: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  /** End of the chain; null while it is unknown. */
  let end: ChainEnd | null = null;

  /** @throws AppError unavailable if the row cannot be stored; the action must then not be carried out */
  function write(entry: AuditEntry): Promise<void> {
    if (queue.length >= QUEUE_ROWS) return Promise.reject(new AppError('unavailable'));
    const written = new Promise<void>((resolve, reject) => queue.push({ entry, resolve, reject }));
    flushing ??= flushSoon();
    return written;
  }

  async function flushSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await commit(queue.splice(0, GROUP_ROWS));
    flushing = null;
  }

  async function commit(group: Waiting[]): Promise<void> {
    try {
      await append(group.map(({ entry }) => entry));
      for (const { resolve } of group) resolve();
      committed?.(group.length);
    } catch (error) {
      log.error({ error, rows: group.length }, 'audit rows could not be written');
      for (const { reject } of group) reject(new AppError('unavailable', {}, error));
    }
  }

  /**
   * Appends rows in one statement, after the last row that this process wrote. If another process of this node (an old
   * one still shutting down) has written since, the row number is already taken: the chain cannot fork, and its end is
   * read again.
   */
  async function append(entries: AuditEntry[]): Promise<void> {
    for (;;) {
      const rows = chained(node, end ?? (await lastRow()), entries);
      try {
        await db.insertInto('audit').values(rows).execute();
        end = rows.at(-1)!;
        return;
      } catch (error) {
        // The database may have stored the rows despite the error, for example if the connection was lost before its
        // reply.
        end = null;
        if (!isTaken(error)) throw error;
      }
    }
  }

  async function lastRow(): Promise<ChainEnd> {
    const last = await db
      .selectFrom('audit')
      .select(['seq', 'hash'])
      .where('node', '=', node)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last ?? { seq: 0, hash: GENESIS };
  }

  return {
    write,
    /** Resolves when no row is waiting any more. */
    drain: () => flushing ?? Promise.resolve(),
  };
}

/** Whether the error reports that the row number is already taken (unique_violation of PostgreSQL). */
const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505';
