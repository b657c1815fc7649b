import {
  type Actor,
  AppError,
  type Classification,
  classificationRank,
  countBackups,
  createBackup,
  deleteBackups,
  listBackups,
  showBackupKey,
  verifyBackup,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readSetting, writeSetting } from '../../base/db/settings.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { BackupList } from './facts.ts';
import { backupNameOf } from './names.ts';
import type { BackupRun, BackupRuns } from './runs.ts';
import { readHeader, takenNames } from './target.ts';

export type BackupRoutesDeps = Http & {
  db: Kysely<Database>;
  target: Storage;
  list: BackupList;
  runs: BackupRuns;
  systemHigh: Classification;
  /** The key created at set-up; null if the site provides its own. */
  ownKey: (() => Promise<{ key: Buffer; file: string }>) | null;
  changed: () => void;
};

/** Serves the calls of backups. Orders are only written down here; the worker carries them out. */
export function backupRoutes(deps: BackupRoutesDeps): void {
  const { list, runs, target } = deps;

  callRoute(deps, listBackups, async () =>
    (await list.all()).map((one) => ({ ...one, securityClassification: deps.systemHigh })),
  );
  callRoute(deps, countBackups, () => list.facts());

  callRoute(deps, createBackup, async ({ actor, audit }) => {
    const name = backupNameOf(deps.nowUs(), 'manual', await takenNames(target));
    await order('create', name, 'manual', actor.id);
    await audit.write({ action: 'backup.create', result: 'ordered', reason: name });
    return { name, message: `Backup ${name} begins.` };
  });

  callRoute(deps, verifyBackup, async ({ input, actor, audit }) => {
    const { name } = input.params;
    const header = await reached(readHeader(target, name));
    if (header === null) throw new AppError('notFound');
    await order('verify', name, header.origin, actor.id);
    await audit.write({ action: 'backup.verify', result: 'ordered', reason: name });
    return { message: `Backup ${name} is being verified.` };
  });

  callRoute(deps, deleteBackups, async ({ input, actor, audit }) => {
    requireSystemHigh(actor);
    const names = [...new Set(input.query.backups)];
    const existing = new Map((await list.all()).map((one) => [one.name, one]));
    if (names.some((name) => !existing.has(name))) throw new AppError('notFound');
    if ((await runs.open()) !== undefined) throw new AppError('backupRunning');
    await runs.forget(names);
    for (const name of names) {
      // A backup that could not be made consists only of its row, which has just been deleted.
      if (existing.get(name)?.sizeBytes !== null) await runs.add('delete', name, existing.get(name)!.origin, actor.id);
    }
    await audit.write({ action: 'backup.delete', result: 'ordered', reason: names.join(' ') });
    deps.changed();
    return { message: `${names.length === 1 ? 'Backup' : 'Backups'} ${names.join(', ')} deleted.` };
  });

  callRoute(deps, showBackupKey, async ({ actor, audit }) => {
    requireSystemHigh(actor);
    if (deps.ownKey === null || (await readSetting(deps.db, 'backupKeySeen'))) throw new AppError('notFound');
    const { key, file } = await deps.ownKey();
    await writeSetting(deps.db, 'backupKeySeen', true);
    await audit.write({ action: 'backup.key', result: 'shown' });
    deps.changed();
    return { key: key.toString('hex'), file };
  });

  async function order(kind: BackupRun['kind'], name: string, origin: BackupRun['origin'], by: string) {
    if ((await runs.request(kind, name, origin, by)) === null) throw new AppError('backupRunning');
    deps.changed();
  }

  /** A backup contains everything, so only users who may read all of it may remove one or read its key. */
  function requireSystemHigh(actor: Actor): void {
    if (classificationRank(actor.clearance) < classificationRank(deps.systemHigh)) throw new AppError('forbidden');
  }
}

/** The directory may be on a mounted disk that is missing. @throws AppError unavailable */
async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && 'code' in error && !(error instanceof AppError)) {
      throw new AppError('unavailable', {}, error);
    }
    throw error;
  }
}
