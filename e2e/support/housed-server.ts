import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mission, User } from '@osprey/contract';
import { inject } from 'vitest';
import { copyCluster } from '../../tools/test-support/copy-cluster.ts';
import { freePort } from '../../tools/test-support/free-port.ts';
import { databaseRoot, removeLeftOver } from '../../tools/test-support/memory-folder.ts';
import { apiOf } from './api.ts';
import { ADMIN, type RunningServer, startServer } from './server.ts';
import type { SharedServer } from './shared-servers.ts';

const DATABASES = 'osprey-e2e-database-';

/** Below the ports of outgoing connections: between two servers no other program gets it. */
const [PORTS_FROM, PORTS] = [20_000, 10_000];

/** Users and usergroups that there are from the start. */
const FIRST: ReadonlySet<string> = new Set([ADMIN.username, 'guest', 'Demo']);

/** A server with a database of its own. */
export type Housed = { server: RunningServer; remove: () => Promise<void> };

/**
 * Kept by the worker for one file after another: the port of their servers, so that a seat serves them all, since the
 * first page of a new one costs as much as two of the next; and the server that files share.
 */
const ofWorker = { port: null as Promise<number> | null, shared: null as Housed | null };

function portOfWorker(): Promise<number> {
  ofWorker.port ??= freePort(PORTS_FROM + (process.pid % PORTS));
  return ofWorker.port;
}

async function house(env: Record<string, string>, port: number): Promise<Housed & SharedServer> {
  await removeLeftOver(DATABASES);
  const folder = await mkdtemp(join(databaseRoot(), `${DATABASES}${process.pid}-`));
  // PostgreSQL, which does not run as root, must be able to pass through.
  await chmod(folder, 0o755);
  const database = join(folder, 'postgres');
  await copyCluster(inject('readyCluster').folder, database);
  const server = await startServer({ OSPREY_DATABASE_DIR: database, OSPREY_PORT: String(port), ...env });
  return {
    server,
    pid: server.pid(),
    folders: [folder, server.dataFolder],
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `isMeasured`: in addition to those of the worker, on any port. */
export async function ownServer(env: Record<string, string>, isMeasured: boolean): Promise<Housed> {
  if (isMeasured) return house(env, 0);
  await ofWorker.shared?.remove();
  ofWorker.shared = null;
  return house(env, await portOfWorker());
}

/** The one of the file before, as if it had just been set up: its start takes as much as three tests. */
export async function sharedServer(): Promise<RunningServer> {
  if (ofWorker.shared !== null) {
    await clear(ofWorker.shared.server.address);
    return ofWorker.shared.server;
  }
  const { pid, folders, ...housed } = await house({}, await portOfWorker());
  ofWorker.shared = housed;
  // A worker does not know which file is its last: remaining servers are ended at the end of the run.
  await writeFile(join(inject('sharedServers').folder, `${process.pid}.json`), JSON.stringify({ pid, folders }));
  return housed.server;
}

/** Takes away what a file has made. Names of users are not given again, so that two files need two of them. */
async function clear(address: string): Promise<void> {
  const { send, groups } = apiOf(address);
  const missions = (await send<Mission[]>('GET', 'missions/brief')).map(({ _id }) => _id);
  if (missions.length > 0) await send('DELETE', 'missions', { missions });
  await send('DELETE', 'bin', {});
  await remove(
    'users',
    (await send<User[]>('GET', 'users')).map(({ username }) => username),
  );
  await remove(
    'usergroups',
    (await groups()).map(({ name }) => name),
  );

  async function remove(kind: 'users' | 'usergroups', names: string[]): Promise<void> {
    const made = names.filter((name) => !FIRST.has(name));
    if (made.length > 0) await send('DELETE', `${kind}?${kind}=${encodeURIComponent(made.join(','))}`);
  }
}
