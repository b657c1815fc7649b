import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../access/as-system.ts';
import type { ChainHead } from '../db/audit-rows.ts';
import type { Database } from '../db/schema.ts';
import { type Checkpoint, checkpoint, signCheckpoint } from './checkpoint.ts';
import type { SigningKey } from './signing-key.ts';

/** A checkpoint is due after this many new rows, or after this time since the last checkpoint. */
const ROWS = 1000;
const INTERVAL_MS = 10 * 60_000;
/** Interval at which the database is checked for rows written by other processes of the server, in milliseconds. */
const CHECK_MS = 15_000;

export type CheckpointDeps = {
  db: Kysely<Database>;
  key: SigningKey;
  /**
   * File outside the database that also stores the checkpoints, since an attacker who can rewrite one of them cannot
   * quietly rewrite both.
   */
  file: string;
  /** Also sends a checkpoint to another machine, if that is configured. */
  forward?: ((one: Checkpoint) => void) | undefined;
  nowUs: () => number;
  nowMs: () => number;
  log: { error: (fields: object, text: string) => void };
};

/** Signs the ends of all chains at intervals. One process of the server does this for all of them. */
export function auditCheckpoints(deps: CheckpointDeps) {
  const { db, nowMs, log } = deps;
  let rowsSince = 0;
  let lastMs = nowMs();
  let working: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => schedule(), CHECK_MS);
  timer.unref();

  /** Reports rows written by this process, so that under load a checkpoint is taken before the next interval. */
  function written(rows: number): void {
    rowsSince += rows;
    if (rowsSince < ROWS) return;
    rowsSince = 0;
    schedule();
  }

  function schedule(): void {
    working = working
      .then(() => takeIfDue())
      .catch((error) => log.error({ error }, 'audit checkpoint could not be kept'));
  }

  async function takeIfDue(): Promise<void> {
    const [heads, last] = await Promise.all([chainHeads(db), lastCheckpoint(db)]);
    const fresh = rowsBetween(last?.chains ?? [], heads);
    const isLate = fresh > 0 && nowMs() - lastMs >= INTERVAL_MS;
    if (fresh >= ROWS || isLate) await takeNow();
  }

  async function takeNow(): Promise<Checkpoint | null> {
    const made = await takeCheckpoint(deps);
    lastMs = nowMs();
    return made;
  }

  return {
    written,
    take: takeNow,
    /** Signs the remaining rows when the server stops. */
    async close(): Promise<void> {
      clearInterval(timer);
      await working;
      await takeNow().catch((error) => log.error({ error }, 'audit checkpoint could not be kept'));
    },
  };
}

type Taking = Pick<CheckpointDeps, 'db' | 'key' | 'file' | 'forward' | 'nowUs'>;

/**
 * Signs the ends of all chains now, unless nothing was written since the last checkpoint. Any process of the server may
 * call it.
 */
export async function takeCheckpoint({ db, key, file, forward, nowUs }: Taking): Promise<Checkpoint | null> {
  const made = await db.transaction().execute(async (tx) => {
    // The lock keeps the numbering free of gaps and duplicates even while an old process of this server is still
    // shutting down.
    await sql`select pg_advisory_xact_lock(hashtextextended('audit checkpoints', 0))`.execute(tx);
    const last = await lastCheckpoint(tx);
    const chains = await chainHeads(tx);
    if (rowsBetween(last?.chains ?? [], chains) === 0) return null;
    const one = signCheckpoint(key, { number: (last?.number ?? 0) + 1, time: nowUs(), chains });
    await tx
      .insertInto('audit_checkpoints')
      .values({
        number: one.number,
        time: one.time,
        chains: JSON.stringify(one.chains),
        key_id: one.key,
        signature: Buffer.from(one.signature, 'base64'),
      })
      .execute();
    return one;
  });
  if (made === null) return null;
  await appendLine(file, JSON.stringify(made));
  forward?.(made);
  return made;
}

/**
 * Returns the last row of each chain. The recursive query jumps from node to node in the primary key instead of reading
 * all rows.
 */
export async function chainHeads(db: Db): Promise<ChainHead[]> {
  const { rows } = await sql<{ node: string; seq: number; hash: Buffer }>`
    with recursive nodes (node) as (
      select min(node) from audit
      union all
      select (select min(audit.node) from audit where audit.node > nodes.node) from nodes where nodes.node is not null
    )
    select head.node, head.seq, head.hash from nodes
    cross join lateral (
      select node, seq, hash from audit where audit.node = nodes.node order by seq desc limit 1) head`.execute(db);
  return rows.map(({ node, seq, hash }) => ({ node, seq, hash: hash.toString('hex') }));
}

/** Checkpoints in the database, oldest first. */
export async function storedCheckpoints(db: Db): Promise<Checkpoint[]> {
  const rows = await db.selectFrom('audit_checkpoints').selectAll().orderBy('number').execute();
  return rows.map(toCheckpoint);
}

async function lastCheckpoint(db: Db): Promise<Checkpoint | null> {
  const query = db.selectFrom('audit_checkpoints').selectAll().orderBy('number', 'desc').limit(1);
  const row = await query.executeTakeFirst();
  return row ? toCheckpoint(row) : null;
}

/** Converts a database row to a signed checkpoint. */
export const toCheckpoint = (row: {
  number: number;
  time: number;
  chains: ChainHead[];
  key_id: string;
  signature: Buffer;
}) => ({
  number: row.number,
  time: row.time,
  chains: row.chains,
  key: row.key_id,
  signature: row.signature.toString('base64'),
});

function rowsBetween(before: readonly ChainHead[], now: readonly ChainHead[]): number {
  const existing = new Map(before.map(({ node, seq }) => [node, seq]));
  return now.reduce((sum, { node, seq }) => sum + Math.max(0, seq - (existing.get(node) ?? 0)), 0);
}

/**
 * Compares the database with the newest checkpoint outside it. Returns a sentence if rows that this checkpoint covers
 * are missing; else null.
 */
export async function missingTail(db: Db, file: string): Promise<string | null> {
  const newest = (await checkpointsInFile(file)).at(-1);
  if (newest === undefined) return null;
  const heads = new Map((await chainHeads(db)).map(({ node, seq }) => [node, seq]));
  const cut = newest.chains.find(({ node, seq }) => (heads.get(node) ?? 0) < seq);
  if (cut === undefined) return null;
  const { node, seq } = cut;
  return `Rows of the audit are missing: chain ${node} ends before row ${seq}, which checkpoint ${newest.number} vouches for. See npm run audit -- verify.`;
}

/**
 * Reads the checkpoints in the file and skips a line that a power failure left incomplete. Empty if the file does not
 * exist.
 */
export async function checkpointsInFile(path: string): Promise<Checkpoint[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    const parsed = checkpoint.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function appendLine(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle: FileHandle = await open(path, 'a', 0o600);
  try {
    // The newline before the entry keeps it separate from a previous line that was cut short.
    await handle.appendFile(`\n${line}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
