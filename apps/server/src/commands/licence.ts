import { readConfig } from '../base/config/config.ts';
import { connect } from '../base/db/connect.ts';
import { licenceKeysFolder } from '../compose/licence.ts';
import { nodeId, readLicence } from '../features/licence/licence.ts';
import { LicenceRefused } from '../features/licence/token.ts';
import { reachDatabase } from '../processes/reach-database.ts';
import { runConsole } from './console.ts';
import { LicenceCommandError, licenceCommandHelp, runLicenceCommand } from './licence-command.ts';

async function main(args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  const keysFolder = licenceKeysFolder(config.dataDir);

  /** Opens the database, for commands about this installation only. */
  async function readInstalled() {
    const { url, leave } = await reachDatabase(config);
    const db = connect({ url, max: 1 });
    try {
      const licence = await readLicence({ db, keysFolder, nowUs: () => Date.now() * 1000 });
      return { licence, node: await nodeId(db) };
    } finally {
      await db.destroy();
      await leave();
    }
  }

  const writeLine = (line: string) => process.stdout.write(`${line}\n`);
  await runLicenceCommand(
    { keysFolder, dataDir: config.dataDir, installed: readInstalled, say: writeLine, nowUs: () => Date.now() * 1000 },
    args,
  );
}

await runConsole({ help: licenceCommandHelp, expected: [LicenceCommandError, LicenceRefused], main });
