import { AppError } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { AuditEntry, ChainedRow } from '../db/audit-rows.ts';
import type { Database } from '../db/schema.ts';
import { chained, GENESIS } from './chain.ts';

/** Rows that come while the ones before are committed share the next commit. */
const GROUP_ROWS = 500;
/** More than this many waiting rows means that the database does not keep up. */
const QUEUE_ROWS = 20_000;

export type AuditWriter = ReturnType<typeof auditWriter>;

type ChainEnd = Pick<ChainedRow, 'seq' | 'hash'>;
type Waiting = { entry: AuditEntry; resolve: () => void; reject: (error: unknown) => void };

export type AuditWriterDeps = {
  db: Kysely<Database>;
  /** One chain for each node. */
  node: string;
  /** Called with the number of rows that were added. */
  committed?: (rows: number) => void;
  log: { error: (fields: object, text: string) => void };
};

/** Appends to the audit. `write` resolves when the row is committed; many writers share one commit. */
export function auditWriter({ db, node, committed, log }: AuditWriterDeps) {
  const queue: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  /** Null where it is not known. */
  let end: ChainEnd | null = null;

  /** @throws AppError unavailable when the row cannot be kept: then the action must not happen */
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
   * One statement that appends to the row this process wrote last. If another process of this node (an old one that is
   * still dying) has written since, that row's number is taken: the chain cannot fork, and its end is read again.
   */
  async function append(entries: AuditEntry[]): Promise<void> {
    for (;;) {
      const rows = chained(node, end ?? (await lastRow()), entries);
      try {
        await db.insertInto('audit').values(rows).execute();
        end = rows.at(-1)!;
        return;
      } catch (error) {
        // The database may have stored the rows in spite of the error, as when the connection was lost before its
        // answer.
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
    /** Resolves when nothing waits any more. */
    drain: () => flushing ?? Promise.resolve(),
  };
}

/** Finds out whether the row number is taken already (unique_violation of PostgreSQL). */
const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505';
