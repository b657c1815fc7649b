import type { Storage } from '../base/storage/storage.ts';
import { headers, readProof, unreadable } from '../features/backups/target.ts';

export const backupCommandHelp = `npm run backup -- <command> [options]     backups, from the server's own machine

  create                  makes a backup and verifies it; the server may run meanwhile
  list                    every backup with its size and when it was verified
  verify <name ...>       restores it into a scratch database and reads its files
  restore <name>          puts it into an empty installation; no server may run in its data folder
  delete <name ...>       removes it for good
  --help                  this text

The name latest stands for the newest backup. Options are those of the server, also as variables OSPREY_...:

  --backup-dir <folder>       where the backups lie
  --backup-key-file <file>    the key: without it nothing can be read
  --data <folder>             data folder of the installation
  --database-url <url>        its external PostgreSQL, if it has one

On an empty machine, with the folder of the backups and the key at hand:

  OSPREY_DATA=/srv/osprey npm run backup -- restore latest --backup-dir /mnt/backups --backup-key-file ./backup.key
`;

/** A wrong name or argument; the message says what is allowed. */
export class BackupCommandError extends Error {
  override name = 'BackupCommandError';
}

/** Splits arguments into the command, the names after it, and the flags with their values. */
export function splitArguments(args: readonly string[]): { command: string; names: string[]; flags: string[] } {
  const names: string[] = [];
  const flags: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith('--')) {
      names.push(arg);
      continue;
    }
    flags.push(arg);
    const value = arg.includes('=') ? undefined : rest.shift();
    if (value !== undefined) flags.push(value);
  }
  const [command = '', ...others] = names;
  return { command, names: others, flags };
}

/** One line for each backup, newest first. */
export async function listLines(target: Storage): Promise<string[]> {
  const found: string[] = [];
  for (const { name, schemaVersion, sizeBytes, newBytes, rows, files } of await headers(target)) {
    const proof = await readProof(target, name);
    const state = proof === null ? 'not verified' : (proof.error ?? `verified ${isoOf(proof.time)}`);
    const size = `${megabytes(sizeBytes)} MB, ${megabytes(newBytes)} MB of it new`;
    found.push([name, `version ${schemaVersion}`, `${rows} rows`, `${files} files`, size, state].join(' | '));
  }
  for (const name of await unreadable(target)) found.push(`${name} | its backup.json cannot be read`);
  return found.length === 0 ? ['There are no backups.'] : found;
}

const isoOf = (timeUs: number) => new Date(timeUs / 1000).toISOString();
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
