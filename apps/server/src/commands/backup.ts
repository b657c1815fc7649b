import { classificationRank } from '@osprey/contract';
import { type Config, readConfig } from '../base/config/config.ts';
import { backupLocations, commandKeeper } from '../compose/backups.ts';
import { removeBackups, withLock } from '../features/backups/keeper.ts';
import { backupNameOf } from '../features/backups/names.ts';
import { proveBackup } from '../features/backups/proof.ts';
import { BackupDamaged } from '../features/backups/seal.ts';
import { headers, readHeader, setNames } from '../features/backups/target.ts';
import { reachDatabase } from '../processes/reach-database.ts';
import { BackupCommandError, backupCommandHelp, listLines, splitArguments } from './backup-command.ts';
import { runConsole } from './console.ts';
import { restoreInstallation } from './restore.ts';

const writeLine = (line: string) => process.stdout.write(`${line}\n`);

type Command = (config: Readonly<Config>, names: readonly string[]) => Promise<void>;

const commands: Record<string, Command> = {
  async list(config) {
    for (const line of await listLines(backupLocations(config).target)) writeLine(line);
  },

  async create(config) {
    const { url, leave } = await reachDatabase(config);
    try {
      const { target } = backupLocations(config);
      const name = backupNameOf(Date.now() * 1000, 'command', new Set(await setNames(target)));
      await commandKeeper(config, url, (keeper) => keeper.work({ name, kind: 'create', origin: 'command', id: '' }));
      writeLine(`Backup ${name} is made and verified.`);
    } finally {
      await leave();
    }
  },

  async verify(config, names) {
    const locations = backupLocations(config);
    for (const name of await existing(config, names)) {
      await proveBackup({
        ...locations,
        key: await locations.key(),
        name,
        systemHigh: classificationRank(config.systemHigh),
        auditKeys: await locations.auditKeys(),
        nowUs: () => Date.now() * 1000,
        progress: () => undefined,
        signal: new AbortController().signal,
      });
      writeLine(`Backup ${name} is whole.`);
    }
  },

  async restore(config, names) {
    const [name, ...more] = await existing(config, names);
    if (name === undefined || more.length > 0) throw new BackupCommandError('restore needs the name of one backup.');
    await restoreInstallation(config, name, writeLine);
  },

  async delete(config, names) {
    const requested = await existing(config, names);
    const { url, leave } = await reachDatabase(config);
    try {
      await withLock(url, () => removeBackups(backupLocations(config).target, requested));
      for (const name of requested) writeLine(`Backup ${name} deleted.`);
    } finally {
      await leave();
    }
  },
};

/** Checks that the named backups exist; replaces `latest` by the name of the newest one. */
async function existing(config: Readonly<Config>, names: readonly string[]): Promise<string[]> {
  const { target, folder } = backupLocations(config);
  if (names.length === 0) throw new BackupCommandError('Which backup? Its name is missing; latest is the newest.');
  const found: string[] = [];
  for (const name of names) {
    const header = name === 'latest' ? ((await headers(target))[0] ?? null) : await readHeader(target, name);
    if (header === null) throw new BackupCommandError(`There is no backup ${name} in ${folder}.`);
    found.push(header.name);
  }
  return found;
}

async function main(args: readonly string[]): Promise<void> {
  const { command, names, flags } = splitArguments(args);
  const work = commands[command];
  if (work === undefined) throw new BackupCommandError(`Unknown command ${command}. See npm run backup -- --help.`);
  await work(readConfig(process.env, flags), names);
}

await runConsole({ help: backupCommandHelp, expected: [BackupCommandError, BackupDamaged], main });
