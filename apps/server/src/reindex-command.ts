import { filesFolder } from './compose/parts.ts';
import { reachDatabase } from './compose/reach-database.ts';
import { ConfigError, readConfig } from './config.ts';
import { connect } from './db/connect.ts';
import { startBoss } from './jobs/boss.ts';
import { jobQueue } from './jobs/queue.ts';
import { ReindexCommandError, reindexCommandHelp, runReindexCommand } from './media/read-again.ts';
import { folderStorage } from './storage/folder.ts';

async function main(args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  const { url, leave } = await reachDatabase(config);
  const db = connect({ url, max: 2 });
  const boss = await startBoss({
    db,
    supervise: false,
    onError: (error) => process.stderr.write(`The queue: ${String(error)}\n`),
  });
  try {
    await runReindexCommand(
      {
        db,
        storage: folderStorage({ root: filesFolder(config) }),
        queue: jobQueue({ boss, nowUs: () => Date.now() * 1000 }),
        say: (line) => process.stdout.write(`${line}\n`),
      },
      args,
    );
  } finally {
    await boss.stop({ graceful: false });
    await db.destroy();
    await leave();
  }
}

const args = process.argv.slice(2);
if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
  process.stdout.write(reindexCommandHelp);
} else {
  await main(args).catch((error: Error) => {
    const expected = error instanceof ReindexCommandError || error instanceof ConfigError;
    process.stderr.write(`${expected ? error.message : `It failed: ${error.message}`}\n`);
    process.exitCode = 1;
  });
}
