import { licenceKeysFolder } from './compose/licence.ts';
import { reachDatabase } from './compose/reach-database.ts';
import { ConfigError, readConfig } from './config.ts';
import { connect } from './db/connect.ts';
import { LicenceCommandError, licenceCommandHelp, runLicenceCommand } from './licence/command.ts';
import { nodeId, readLicence } from './licence/licence.ts';
import { LicenceRefused } from './licence/token.ts';

async function main(args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  const keysFolder = licenceKeysFolder(config.dataDir);

  /** Only what asks about this installation needs its database. */
  async function installed() {
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

  const say = (line: string) => process.stdout.write(`${line}\n`);
  await runLicenceCommand(
    { keysFolder, dataDir: config.dataDir, installed, say, nowUs: () => Date.now() * 1000 },
    args,
  );
}

const args = process.argv.slice(2);
if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
  process.stdout.write(licenceCommandHelp);
} else {
  await main(args).catch((error: Error) => {
    const expected = [LicenceCommandError, LicenceRefused, ConfigError].some((kind) => error instanceof kind);
    process.stderr.write(`${expected ? error.message : `It failed: ${error.message}`}\n`);
    process.exitCode = 1;
  });
}
