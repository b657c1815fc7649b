import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mission, User } from '@osprey/contract';
import { inject } from 'vitest';
import { copyCluster } from '../../tools/test-support/copy-cluster.ts';
import { apiOf } from '../../tools/test-support/data/api.ts';
import { freePort } from '../../tools/test-support/free-port.ts';
import { databaseRoot, removeLeftOver } from '../../tools/test-support/memory-folder.ts';
import { ADMIN, type RunningServer, startServer } from '../../tools/test-support/server.ts';
import type { SharedServer } from './shared-servers.ts';

const DATABASES = 'osprey-e2e-database-';

/**
 * First port and number of ports. They are below the range for outgoing connections, so that no other program takes the
 * port between two servers.
 */
const [PORTS_FROM, PORTS] = [20_000, 10_000];

/** Users and user groups that exist from the start. */
const FIRST: ReadonlySet<string> = new Set([ADMIN.username, 'guest', 'Demo']);

/** A server with a database of its own. */
export type Housed = { server: RunningServer; remove: () => Promise<void> };

/**
 * Kept by the worker across test files: the port of their servers, so that browser contexts can be reused, since the
 * first page of a new context costs as much as two later ones; and the server that files share.
 */
const ofWorker = { port: null as Promise<number> | null, shared: null as Housed | null };

function portOfWorker(): Promise<number> {
  ofWorker.port ??= freePort(PORTS_FROM + (process.pid % PORTS));
  return ofWorker.port;
}

async function house(env: Record<string, string>, port: number): Promise<Housed & SharedServer> {
  await removeLeftOver(DATABASES);
  const folder = await mkdtemp(join(databaseRoot(), `${DATABASES}${process.pid}-`));
  // PostgreSQL does not run as root, so its user needs access through this folder.
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

/** Starts a server for one test file. `isMeasured`: it runs in addition to the worker's server, on any port. */
export async function ownServer(env: Record<string, string>, isMeasured: boolean): Promise<Housed> {
  if (isMeasured) return house(env, 0);
  await ofWorker.shared?.remove();
  ofWorker.shared = null;
  return house(env, await portOfWorker());
}

/**
 * Returns the server of the previous file, reset as if newly set up, since starting one takes as long as three tests.
 */
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

/**
 * Removes everything created by a test file. Names of deleted users cannot be used again, so different files must use
 * different names.
 */
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
