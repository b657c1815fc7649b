import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { classificationRank } from '@osprey/contract';
import { secretFile } from '../base/access/secret-file.ts';
import { requestAudit } from '../base/audit/request-audit.ts';
import { publicKeysOf } from '../base/audit/signing-key.ts';
import { auditWriter } from '../base/audit/writer.ts';
import { type Config, ConfigError } from '../base/config/config.ts';
import { connect } from '../base/db/connect.ts';
import { databaseFolder, scratchFolder } from '../base/db/database-folder.ts';
import { readSetting, writeSetting } from '../base/db/settings.ts';
import type { Http } from '../base/http/call-route.ts';
import { folderStorage } from '../base/storage/folder.ts';
import type { Storage } from '../base/storage/storage.ts';
import { type StoredFile, storedFiles } from '../base/stored/stored-files.ts';
import { type EventSender, eventSender } from '../base/ws/outgoing.ts';
import { type BackupFolder, backupFolder } from '../features/backups/backup-folder.ts';
import { damagedList } from '../features/backups/damaged-list.ts';
import { damagedRoutes } from '../features/backups/damaged-routes.ts';
import { type BackupList, backupList } from '../features/backups/facts.ts';
import { type DataFolder, dataFolder } from '../features/backups/files.ts';
import { type BackupKeeper, backupKeeper, withLock } from '../features/backups/keeper.ts';
import { makeBackup } from '../features/backups/make.ts';
import { backupNameOf } from '../features/backups/names.ts';
import { isHeld } from '../features/backups/put-back.ts';
import { backupRoutes } from '../features/backups/routes.ts';
import { backupRuns } from '../features/backups/runs.ts';
import { setNames } from '../features/backups/target.ts';
import type { Dependencies } from './dependencies.ts';

const KEY = /^[0-9a-f]{64}$/i;

export type BackupLocations = {
  folder: string;
  target: Storage;
  disk: BackupFolder;
  keyFile: string;
  key: () => Promise<Buffer>;
  /** Directory into which a backup is restored to verify it. */
  scratchFolder: string;
  data: DataFolder;
  auditKeys: () => ReturnType<typeof publicKeysOf>;
};

/** Returns the locations of an installation's backups and of the data to back up. */
export function backupLocations(config: Readonly<Config>): BackupLocations {
  const { dataDir } = config;
  const folder = config.backupDir ?? join(dataDir, 'backups');
  const database = databaseFolder(config);
  const scratch = scratchFolder(config);
  const keyFile = config.backupKeyFile ?? join(dataDir, 'keys', 'backup.key');
  return {
    folder,
    target: folderStorage({ root: folder }),
    disk: backupFolder({ folder, dataDir }),
    keyFile,
    key: () => (config.backupKeyFile === null ? secretFile(keyFile) : readKey(keyFile)),
    scratchFolder: scratch,
    data: dataFolder(dataDir, [folder, database, scratch]),
    auditKeys: () => publicKeysOf(join(dataDir, 'keys', 'audit')),
  };
}

/** @throws ConfigError */
async function readKey(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').then(
    (found) => found.trim(),
    (error: Error) => {
      throw new ConfigError(`The key of the backups cannot be read: ${error.message}`);
    },
  );
  if (!KEY.test(text)) throw new ConfigError(`${file} does not hold a key of 64 hexadecimal digits.`);
  return Buffer.from(text, 'hex');
}

/** Returns the locations that the backup keeper needs. */
function keptPlaces(config: Readonly<Config>) {
  const { target, disk, key, scratchFolder, data, auditKeys } = backupLocations(config);
  return { target, disk, key, scratchFolder, data, auditKeys };
}

/** Creates, verifies and removes backups in the worker. */
export function keepBackups(dependencies: Dependencies, databaseUrl: string): BackupKeeper {
  const { db, config, nowUs, events, log } = dependencies;
  const writer = auditWriter({ db, node: 'worker', log });
  return backupKeeper({
    ...keptPlaces(config),
    db,
    databaseUrl,
    systemHigh: classificationRank(config.systemHigh),
    runs: backupRuns({ db, nowUs }),
    stored: storedFiles({ db, nowUs }),
    schedule: config.backupSchedule,
    keep: config.backupKeep,
    nowUs,
    changed: events.backupsChanged,
    itemChanged: itemChanged(events),
    failed: events.backupFailed,
    audit: requestAudit(writer, { actor: null, session: null, address: '' }, nowUs),
    log,
  });
}

const rowsAlone = { data: null, stored: null, origin: 'migration' as const };

const itemChanged =
  ({ changed }: Pick<EventSender, 'changed'>) =>
  ({ id, missionId }: StoredFile): void =>
    changed(missionId === null ? 'documents' : 'missions', [missionId ?? id]);

/**
 * Backs up the database rows before the schema changes; the server does not start if this fails. Files are not copied,
 * and the backup is verified once the server is running.
 *
 * @throws ConfigError
 */
export async function backUpBeforeMigration(config: Readonly<Config>, databaseUrl: string): Promise<void> {
  try {
    await backUpRows(config, databaseUrl);
  } catch (error) {
    throw new ConfigError(
      `The database needs a step to this version, and the backup before it failed: ${(error as Error).message} ` +
        'Mend that, or set OSPREY_BACKUP_DIR to a folder that can be written, and start again.',
    );
  }
}

/** Backs up the rows alone, as before an update and before a migration. */
export async function backUpRows(config: Readonly<Config>, databaseUrl: string): Promise<void> {
  const { target, disk, key } = backupLocations(config);
  const nowUs = () => Date.now() * 1000;
  await disk.use();
  const name = backupNameOf(nowUs(), 'migration', new Set(await setNames(target)));
  const making = { target, key: await key(), databaseUrl, ...rowsAlone, name, nowUs };
  const signal = new AbortController().signal;
  await withLock(databaseUrl, () => makeBackup({ ...making, progress: () => undefined, signal }));
}

/** Provides backups for a console command, which reports the result itself. */
export async function commandKeeper(
  config: Readonly<Config>,
  databaseUrl: string,
  work: (keeper: BackupKeeper) => Promise<void>,
): Promise<void> {
  const db = connect({ url: databaseUrl, max: 2 });
  const log = { error: () => undefined };
  const nowUs = () => Date.now() * 1000;
  const events = eventSender({ db, log: { warn: () => undefined } });
  const writer = auditWriter({ db, node: 'command', log });
  const keeper = backupKeeper({
    ...keptPlaces(config),
    db,
    databaseUrl,
    systemHigh: classificationRank(config.systemHigh),
    runs: backupRuns({ db, nowUs }),
    stored: storedFiles({ db, nowUs }),
    schedule: null,
    keep: config.backupKeep,
    nowUs,
    changed: events.backupsChanged,
    itemChanged: itemChanged(events),
    failed: events.backupFailed,
    audit: requestAudit(writer, { actor: null, session: null, address: 'console' }, nowUs),
    log,
  });
  try {
    await work(keeper);
    events.backupsChanged();
  } finally {
    await events.drain();
    await db.destroy();
  }
}

export type Backups = { backups: BackupList };

/** Opens the list of backups in the api process. Creates the key if there is none. */
export async function openBackups({ db, config, nowUs }: Dependencies): Promise<Backups> {
  const { folder, target, disk, key } = backupLocations(config);
  const isOwn = config.backupKeyFile === null;
  if (isOwn) await key();
  const runs = backupRuns({ db, nowUs });
  const list = backupList({
    target,
    disk,
    runs,
    folder,
    schedule: config.backupSchedule,
    keep: config.backupKeep,
    sameDisk: async () => (await deviceOf(folder)) === (await deviceOf(config.dataDir)),
    known: {
      read: () => readSetting(db, 'backupsKnown'),
      write: (known) => writeSetting(db, 'backupsKnown', known),
    },
    damaged: () => storedFiles({ db, nowUs }).open(),
    keyUnseen: async () => isOwn && !(await readSetting(db, 'backupKeySeen')),
    installed: async () => {
      const row = await db
        .selectFrom('users')
        .select((eb) => eb.fn.min('registered').as('first'))
        .executeTakeFirst();
      return row?.first ?? nowUs();
    },
    nowUs,
  });
  return { backups: list };
}

/** Serves backups in the api: lists them, and stores orders for the worker. */
export function serveBackups({
  http,
  dependencies,
  backups,
}: { http: Http; dependencies: Dependencies } & Backups): void {
  const { db, config, nowUs, events } = dependencies;
  const { target, key, keyFile } = backupLocations(config);
  const runs = backupRuns({ db, nowUs });
  const ownKey = config.backupKeyFile === null ? async () => ({ key: await key(), file: keyFile }) : null;
  const { systemHigh } = config;
  const stored = storedFiles({ db, nowUs });
  // If the backups are unavailable or their key is missing, nothing can be restored from them.
  const held = async (item: StoredFile) => isHeld({ target, key: await key() }, item).catch(() => false);
  const damaged = damagedList({ db, stored, runs, isHeld: held });
  const listeners = { changed: events.backupsChanged, itemChanged: itemChanged(events) };
  damagedRoutes({ ...http, db, list: damaged, stored, runs, isHeld: held, ...listeners });
  backupRoutes({ ...http, db, target, list: backups, runs, systemHigh, ownKey, changed: events.backupsChanged });
}

/** Device of the folder, or of its nearest existing parent. */
async function deviceOf(folder: string): Promise<number> {
  const found = await stat(folder).catch(() => null);
  if (found !== null) return found.dev;
  return dirname(folder) === folder ? 0 : deviceOf(dirname(folder));
}
