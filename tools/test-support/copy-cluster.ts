import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Copies a stopped database cluster to the folder where a server will look for its own. Uses cp, since Node's own
 * copying does not keep the files' owner.
 */
export async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o755 });
  await run('cp', ['-a', '--', from, to]);
}
