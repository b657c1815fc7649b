import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Puts a cluster that does not run where a server will look for its own. Node's own copying leaves out whose the files are. */
export async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o755 });
  await run('cp', ['-a', '--', from, to]);
}
