import { mkdir } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import type { Config } from '../base/config/config.ts';
import { tlsFiles } from '../base/config/tls.ts';
import { isPassable } from '../base/db/database-folder.ts';
import { type PostgresServer, type Reach, startPostgres } from '../base/db/postgres-server.ts';
import { newSetupCode } from '../features/identity/first-admin.ts';
import { type AuditKeeping, keepAudit } from './audit-retention.ts';
import { lockDataFolder } from './data-lock.ts';
import { type PreparedDatabase, prepareDatabase } from './database.ts';
import { keepChild } from './keep-child.ts';
import { keepRecorder } from './keep-recorder.ts';
import { type Launcher, SIGNALS } from './launched.ts';
import type { StartMessage } from './messages.ts';

const DATABASE_RETRY_MS = 1000;

const writeLine = (line: string) => process.stdout.write(`${line}\n`);
const warn = (line: string) => process.stderr.write(`${line}\n`);

/**
 * Starts the database and the processes, keeps them running, and stops them in order; it does no other work itself.
 * Returns only if another release is to start instead, after all processes except the recorder have exited.
 */
export async function supervise(config: Readonly<Config>, script: string, launcher: Launcher | null): Promise<void> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o755 });
  const unlock = await lockDataFolder(config.dataDir);
  // Started first, so that live streams are recorded without waiting for anything else.
  const recorder = keepRecorder({
    script,
    dataDir: config.dataDir,
    order: () => ({ config, databaseUrl: '', setupCode: null, tls: null, restarted: false }),
    onRestart: () => warn('The recorder process ended unexpectedly and is started again.'),
    onFound: (pid) => writeLine(`The recorder that was running (process ${pid}) goes on.`),
    onSilent: () => warn('A recorder is running that does not answer yet; it is waited for.'),
  });
  const prepared = prepareBase(config);
  await prepared.catch(() => recorder.leave());
  const { tls, ...base } = await prepared;
  let database = base.database;
  if (database.folder !== null && !database.folder.startsWith(config.dataDir)) {
    writeLine(`The database lies in ${database.folder}.`);
    if (config.databaseDir === null && !isPassable(config.dataDir)) {
      writeLine(`PostgreSQL, which does not run as root, cannot reach ${config.dataDir}.`);
    }
  }
  const setupCode = database.hasSuperAdmin ? null : newSetupCode();
  // A free port, once chosen, is kept, since open pages reconnect to it.
  let port = config.port;
  let restarted = false;
  const order = (): StartMessage => ({
    config: { ...config, port },
    databaseUrl: database.url,
    setupCode,
    tls,
    restarted,
  });
  const switched = Promise.withResolvers<void>();
  const onRestart = (role: string) => warn(`The ${role} process ended unexpectedly and is started again.`);
  const children = ['api', 'worker', 'gateway'].map((role) =>
    keepChild({
      script,
      role,
      order,
      onRestart,
      onRestartAsked: (force) => void restartAll(force),
      onSwitchAsked: () => void leave().then(switched.resolve, switched.reject),
    }),
  );
  const restartAll = async (withRecorder: boolean) => {
    writeLine('The server is started again, as an admin asked.');
    restarted = true;
    await Promise.all([...children, ...(withRecorder ? [recorder] : [])].map((each) => each.restart()));
  };

  let auditKeeping: AuditKeeping | null = null;
  let databaseSupervised = Promise.resolve();
  let stopping: Promise<void> | null = null;
  const stop = () => {
    stopping ??= stopAll(recorder.stop);
    return stopping;
  };
  /** Stops everything but the recorder, unless a stop has already begun. */
  const leave = () => {
    stopping ??= stopAll(recorder.leave);
    return stopping;
  };
  async function stopAll(endRecorder: () => Promise<void>): Promise<void> {
    auditKeeping?.stop();
    await Promise.all([...children.map((child) => child.stop()), endRecorder()]);
    await database.server?.stop();
    // A database that is just restarting must finish starting before it is stopped too.
    await databaseSupervised;
    await unlock();
  }
  const onSignal = () => endAfter(stop());
  for (const signal of SIGNALS) process.on(signal, onSignal);
  launcher?.onGone(() => endAfter(leave()));

  /**
   * Restarts the server's own database each time it exits, at the same address and with the same accounts, so that the
   * other processes reconnect automatically.
   */
  async function keepDatabase({ server, folder }: PreparedDatabase): Promise<void> {
    let current = server;
    while (current !== null && folder !== null) {
      const { ended, reach } = current;
      await ended;
      if (stopping !== null) return;
      warn('The database ended unexpectedly and is started again.');
      current = await startAgain(folder, reach);
      if (stopping !== null) return current?.stop();
      database = { ...database, server: current };
    }
  }

  async function startAgain(folder: string, reach: Reach): Promise<PostgresServer | null> {
    while (stopping === null) {
      try {
        return await startPostgres({ folder, reach, onTrouble: warn });
      } catch (error) {
        warn(`The database did not start: ${(error as Error).message}`);
        await new Promise((resolve) => setTimeout(resolve, DATABASE_RETRY_MS));
      }
    }
    return null;
  }

  try {
    await recorder.ready;
    const [listening] = await Promise.all(children.map((child) => child.ready));
    port = listening ?? port;
    databaseSupervised = keepDatabase(database);
    auditKeeping = keepAudit({ config, ownerUrl: () => database.ownerUrl, warn });
    announce(config, port, { tls: tls !== null, setupCode });
    launcher?.ready({ host: config.host, port, tls: tls !== null });
    flushCompileCache();
  } catch (error) {
    // A failed start of the server must not stop live recordings.
    await leave();
    throw error;
  }
  await switched.promise;
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

const endAfter = (stopped: Promise<void>) =>
  void stopped.then(
    () => process.exit(0),
    () => process.exit(1),
  );

async function prepareBase(config: Readonly<Config>) {
  const tls = await tlsFiles(config);
  return { tls, database: await prepareDatabase(config, { onTrouble: warn }) };
}

function announce(config: Config, port: number, { tls, setupCode }: { tls: boolean; setupCode: string | null }): void {
  const isAny = config.host === '0.0.0.0' || config.host === '::' || config.host === '127.0.0.1';
  const name = isAny ? 'localhost' : config.host;
  const host = name.includes(':') ? `[${name}]` : name;
  const address = `${tls ? 'https' : 'http'}://${host}:${port}`;
  // Written in one piece, so that a reader that receives the first line has the second one too.
  const setup = setupCode === null ? '' : `\nSet it up here: ${address}/setup#code=${setupCode}`;
  writeLine(`Osprey is ready: ${address}${setup}`);
}
