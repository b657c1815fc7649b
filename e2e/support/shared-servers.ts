import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    sharedServers: { folder: string };
  }
}

/** Process of a server, and its folders on disk. */
export type SharedServer = { pid: number; folders: string[] };

const POLL_MS = 20;

/** Stops servers shared by several test files at the end of the run, since they outlive their worker. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-shared-servers-'));
  project.provide('sharedServers', { folder });
  return async () => {
    for (const name of await readdir(folder)) await end(JSON.parse(await readFile(join(folder, name), 'utf8')));
    await rm(folder, { recursive: true, force: true });
  };
}

async function end({ pid, folders }: SharedServer): Promise<void> {
  // The worker has already stopped the server if a later file had its own, and the pid may have been reused.
  if (!folders.some((folder) => existsSync(folder))) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // The server had stopped already.
  }
  while (existsSync(`/proc/${pid}`)) await pause(POLL_MS);
  for (const each of folders) await rm(each, { recursive: true, force: true });
}
