import { readConfig } from '../base/config/config.ts';
import { connect } from '../base/db/connect.ts';
import { startBoss } from '../base/jobs/boss.ts';
import { jobQueue } from '../base/jobs/queue.ts';
import { folderStorage } from '../base/storage/folder.ts';
import { filesFolder } from '../compose/dependencies.ts';
import { ReindexCommandError, reindexCommandHelp, runReindexCommand } from '../media/ingest/read-again.ts';
import { reachDatabase } from '../processes/reach-database.ts';
import { runConsole } from './console.ts';

async function main(args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  const { url, leave } = await reachDatabase(config);
  const db = connect({ url, max: 2 });
  const boss = await startBoss({
    db,
    worksAt: null,
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

await runConsole({ help: reindexCommandHelp, expected: [ReindexCommandError], main });
