import { once } from 'node:events';
import { CaseCommandError, caseCommandHelp, runCaseCommand } from './case-command.ts';
import { runConsole } from './console.ts';

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

async function main(args: readonly string[]): Promise<void> {
  process.exitCode = await runCaseCommand({ write, nowMs: () => performance.now() }, args);
}

await runConsole({ help: caseCommandHelp, expected: [CaseCommandError], main });
