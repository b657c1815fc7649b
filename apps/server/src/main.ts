import { constants, enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Compiled code is cached in node_modules: the next start, and the way back to recording after a power cut, takes half
// the processor time. If the folder cannot be written, only that is lost.
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/osprey');
const { status } = enableCompileCache(compiled);
// Set before they begin, so that the other processes need not even load the TypeScript reader.
if (status === constants.compileCacheStatus.ENABLED) process.env.NODE_COMPILE_CACHE = compiled;
const { ConfigError, helpText, readConfig } = await import('./base/config/config.ts');

const role = process.env.OSPREY_ROLES;
const args = process.argv.slice(2);

// Each branch loads only what it needs: the help answers at once, and a process holds no other's code.
if (role !== undefined && process.send !== undefined) {
  const { isRole, runChild } = await import('./processes/child.ts');
  if (isRole(role)) await runChild(role);
} else if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(helpText());
} else {
  try {
    const config = readConfig(process.env, args);
    const { runServer } = await import('./processes/run-server.ts');
    await runServer(config, process.argv[1]!, args);
  } catch (error) {
    const text = error instanceof ConfigError ? error.message : `Osprey did not start: ${(error as Error).message}`;
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}
