import { once } from 'node:events';
import type { Kysely } from 'kysely';
import { AuditCommandError, auditCommandHelp, runAuditCommand } from './audit/command.ts';
import { auditPlaces } from './audit/places.ts';
import { type Reached, reachDatabase } from './compose/reach-database.ts';
import { ConfigError, readConfig } from './config.ts';
import { connect } from './db/connect.ts';
import type { Database } from './db/schema.ts';

/** A chain of years is read in pages, each of which may wait behind a busy server. */
const STATEMENT_TIMEOUT_MS = 60_000;

async function main(args: readonly string[]): Promise<number> {
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
    return await runAuditCommand({ database, places: auditPlaces(config.dataDir), write, ...clocks }, args);
  } finally {
    await (db as Kysely<Database> | null)?.destroy();
    await (reached as Reached | null)?.leave();
  }
}

const args = process.argv.slice(2);
if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
  process.stdout.write(auditCommandHelp);
} else {
  process.exitCode = await main(args).catch((error: Error) => {
    const expected = error instanceof AuditCommandError || error instanceof ConfigError;
    process.stderr.write(`${expected ? error.message : `It failed: ${error.message}`}\n`);
    return 1;
  });
}
