import { filesFolder } from '../compose/parts.ts';
import { readConfig } from '../config.ts';
import { connect } from '../db/connect.ts';
import { startBoss } from '../jobs/boss.ts';
import { jobQueue } from '../jobs/queue.ts';
import { ReindexCommandError, reindexCommandHelp, runReindexCommand } from '../media/read-again.ts';
import { reachDatabase } from '../processes/reach-database.ts';
import { folderStorage } from '../storage/folder.ts';
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
