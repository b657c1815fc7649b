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

/** The process of a server, and its folders on the disk. */
export type SharedServer = { pid: number; folders: string[] };

const POLL_MS = 20;

/** Servers that several files of tests share go on when their worker has ended: they end with the run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-shared-servers-'));
  project.provide('sharedServers', { folder });
  return async () => {
    for (const name of await readdir(folder)) await end(JSON.parse(await readFile(join(folder, name), 'utf8')));
    await rm(folder, { recursive: true, force: true });
  };
}

async function end({ pid, folders }: SharedServer): Promise<void> {
  // The worker has ended it already if a later file had one of its own, and its pid may be another's.
  if (!folders.some((folder) => existsSync(folder))) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // The server had ended already.
  }
  while (existsSync(`/proc/${pid}`)) await pause(POLL_MS);
  for (const each of folders) await rm(each, { recursive: true, force: true });
}
