import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { readConfig } from '../base/config/config.ts';
import { connect } from '../base/db/connect.ts';
import { passwordHashes } from '../features/identity/password-hashes.ts';
import { passwordPolicy } from '../features/identity/password-policy.ts';
import { reachDatabase } from '../processes/reach-database.ts';
import { runConsole } from './console.ts';
import { runUserCommand, UserCommandError, userCommandHelp } from './user-command.ts';

/** Reads a password, typed without being shown or piped in by a script. */
async function readPassword(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY === true });
  if (process.stdin.isTTY) process.stderr.write('Password: ');
  const password = await lines.question('');
  if (process.stdin.isTTY) process.stderr.write('\n');
  lines.close();
  return password;
}

async function main(args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  const { url, leave } = await reachDatabase(config);
  const db = connect({ url, max: 2 });
  try {
    await runUserCommand(
      {
        db,
        hashPassword: passwordHashes({ nowMs: () => performance.now() }).hash,
        checkPassword: passwordPolicy(config.passwordMin),
        readPassword,
        say: (line) => process.stdout.write(`${line}\n`),
        nowUs: () => Date.now() * 1000,
      },
      args,
    );
  } finally {
    await db.destroy();
    await leave();
  }
}

await runConsole({ help: userCommandHelp, expected: [UserCommandError], main });
