import { resolve } from 'node:path';
import { NotAsLocked } from './bill-of-materials.ts';
import { runConsole } from './console.ts';
import { ReleaseCommandError, releaseCommandHelp, runReleaseCommand } from './release-command.ts';
import { NotAReleaseTree } from './release-tree.ts';

const root = resolve(import.meta.dirname, '../../../..');
const writeLine = (line: string) => void process.stdout.write(`${line}\n`);

await runConsole({
  help: releaseCommandHelp,
  expected: [ReleaseCommandError, NotAsLocked, NotAReleaseTree],
  main: (args) => runReleaseCommand({ root, say: writeLine, now: () => new Date() }, args),
});
