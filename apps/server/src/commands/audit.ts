import { once } from 'node:events';
import type { Kysely } from 'kysely';
import { auditDirectories } from '../base/audit/directories.ts';
import { readConfig } from '../base/config/config.ts';
import { connect } from '../base/db/connect.ts';
import type { Database } from '../base/db/schema.ts';
import { type Reached, reachDatabase } from '../processes/reach-database.ts';
import { AuditCommandError, auditCommandHelp, runAuditCommand } from './audit-command.ts';
import { runConsole } from './console.ts';

/** Time limit of each statement: a chain of years is read in pages, and a page may wait for a busy server. */
const STATEMENT_TIMEOUT_MS = 60_000;

async function main(args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  let reached: Reached | null = null;
  let db: Kysely<Database> | null = null;
  async function database(): Promise<Kysely<Database>> {
    reached = await reachDatabase(config);
    db = connect({ url: reached.url, max: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    return db;
  }
  async function write(text: string): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
  const clocks = { nowUs: () => Date.now() * 1000, nowMs: () => performance.now() };
  try {
    process.exitCode = await runAuditCommand(
      { database, directories: auditDirectories(config.dataDir), write, ...clocks },
      args,
    );
  } finally {
    await (db as Kysely<Database> | null)?.destroy();
    await (reached as Reached | null)?.leave();
  }
}

await runConsole({ help: auditCommandHelp, expected: [AuditCommandError], main });
