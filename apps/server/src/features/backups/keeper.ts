import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@osprey/contract';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { PublicKeys } from '../../base/audit/signing-key.ts';
import { ConfigError } from '../../base/config/config.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { faultText } from '../../base/stored/damage-sentence.ts';
import { type FoundDamage, reportDamage } from '../../base/stored/report-damage.ts';
import type { StoredFile, StoredFiles } from '../../base/stored/stored-files.ts';
import { type BackupFolder, BackupFolderAway, folderTrouble } from './backup-folder.ts';
import { damagedText, openDamage, readDamaged } from './damaged.ts';
import type { DataFolder } from './files.ts';
import { SourceUnreadable } from './keep-file.ts';
import { makeBackup, SourceAway } from './make.ts';
import { backupNameOf, lastDue } from './names.ts';
import { sweepObjects } from './objects.ts';
import { proveBackup, removeScratch } from './proof.ts';
import { putBack } from './put-back.ts';
import type { BackupRun, BackupRuns } from './runs.ts';
import { BackupDamaged } from './seal.ts';
import { headers, isFinished, readHeader, readProof, setKey, setNames, takenNames } from './target.ts';

/** Intervals for checking for waiting or due runs, and for storing progress, in milliseconds. */
const CHECK_MS = 1000;
const PROGRESS_MS = 500;

export type BackupKeeperDeps = {
  db: Kysely<Database>;
  target: Storage;
  disk: BackupFolder;
  key: () => Promise<Buffer>;
  data: DataFolder;
  stored: StoredFiles;
  databaseUrl: string;
  scratchFolder: string;
  systemHigh: number;
  auditKeys: () => Promise<PublicKeys>;
  runs: BackupRuns;
  /** Time of the daily backup as HH:MM in UTC; null for no scheduled backups. */
  schedule: string | null;
  /** Number of scheduled backups to keep. */
  keep: number;
  nowUs: () => number;
  changed: () => void;
  /** A stored file was found damaged, or was put back. */
  itemChanged: (item: StoredFile) => void;
  /** Reports a failure prominently: on every admin's page, in the log and in the audit. */
  failed: (name: string, text: string) => void;
  audit: Pick<RequestAudit, 'write'>;
  log: { error: (fields: object, text: string) => void };
};

export type BackupKeeper = {
  start: () => void;
  /** Aborts the current operation. It counts as failed when the server starts again. */
  stop: () => Promise<void>;
  /** Carries out one run from beginning to end; throws its error. */
  work: (run: Work) => Promise<void>;
};

/** A run to carry out. An empty id means that no row stores its progress. */
type Work = Pick<BackupRun, 'id' | 'name' | 'kind' | 'origin'> & { item_id?: string | null };

/** Makes, verifies and removes backups one after another, on request and on schedule. */
export function backupKeeper(deps: BackupKeeperDeps): BackupKeeper {
  const { target, runs, nowUs, log } = deps;
  const stopping = new AbortController();
  const unproved: string[] = [];
  let loop: Promise<void> = Promise.resolve();

  async function go(): Promise<void> {
    await recover().catch((error) => log.error({ error }, 'backups could not be tidied'));
    while (!stopping.signal.aborted) {
      await step().catch((error) => log.error({ error }, 'backups could not be looked after'));
      await delay(CHECK_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Handles runs that a killed server left behind, which no worker is processing. */
  async function recover(): Promise<void> {
    await removeScratch(deps.scratchFolder);
    for (const run of await runs.interrupted()) {
      const what = run.kind === 'restore' ? 'file was back' : 'backup was whole';
      await fail(run, `The server stopped before the ${what}.`);
    }
    for (const { name, origin } of await headers(target)) {
      // Backups made before a migration still have to be verified, since the start of the server does not wait for
      // this.
      if (origin === 'migration' && (await readProof(target, name)) === null) unproved.push(name);
    }
    await runs.sweep();
  }

  async function step(): Promise<void> {
    await orderIfDue();
    await orderProof();
    const run = await runs.take();
    if (run === undefined) return;
    try {
      await work(run);
      await runs.end(run.id, null);
    } catch (error) {
      // On an orderly shutdown, this run is started again after the restart.
      if (stopping.signal.aborted) return await runs.park(run.id);
      if (!isForPeople(error)) log.error({ error, run: run.id }, 'backup failed');
      await fail(run, sentenceOf(error));
    } finally {
      deps.changed();
    }
  }

  /** Orders a scheduled backup. One that was missed while the server was down is made at startup. */
  async function orderIfDue(): Promise<void> {
    if (deps.schedule === null) return;
    const last = await runs.lastCreated('schedule');
    if (last !== null && last >= lastDue(deps.schedule, nowUs())) return;
    await runs.request('create', backupNameOf(nowUs(), 'schedule', await takenNames(target)), 'schedule', null);
  }

  /** Orders one verification at a time. No order is accepted while another run is waiting or running. */
  async function orderProof(): Promise<void> {
    const [name] = unproved;
    if (name !== undefined && (await runs.request('verify', name, 'migration', null)) !== null) unproved.shift();
  }

  async function fail(run: BackupRun, text: string): Promise<void> {
    await runs.end(run.id, text);
    log.error({ backup: run.name, kind: run.kind, text }, 'a backup failed');
    deps.failed(run.name, text);
    await deps.audit.write({ action: `backup.${run.kind}`, result: 'failed', reason: `${run.name}: ${text}` });
  }

  async function work(run: Work): Promise<void> {
    await withLock(deps.databaseUrl, async () => {
      await deps.disk.use();
      const progress = reporter(run);
      if (run.kind === 'delete') await removeBackups(target, [run.name]);
      if (run.kind === 'create') await make(run, (percent) => progress(percent * 0.7));
      if (run.kind === 'create') await prove(run.name, (percent) => progress(70 + percent * 0.3));
      if (run.kind === 'verify') await prove(run.name, progress);
      if (run.kind === 'create' && run.origin === 'schedule') await removeOld();
      if (run.kind === 'restore') await restoreItem(run, progress);
      const damaged = run.kind === 'create' ? await reportDamaged(run.name) : 0;
      const result = damaged > 0 ? 'incomplete' : 'done';
      const reason = run.kind === 'create' ? await madeText(run.name) : run.name;
      await deps.audit.write({ action: `backup.${run.kind}`, result, reason });
    });
  }

  async function restoreItem({ item_id: id }: Work, progress: (percent: number) => void): Promise<void> {
    const put = { data: deps.data, stored: deps.stored, id: id ?? '', progress, signal: stopping.signal };
    deps.itemChanged(await putBack({ ...put, target, key: await deps.key() }));
  }

  /** Reports damaged files in the log and the audit, and on their missions. Returns their number. */
  async function reportDamaged(name: string): Promise<number> {
    const damaged = await readDamaged(target, name);
    const found: FoundDamage[] = [];
    for (const one of damaged) {
      const item = await deps.stored.read(one);
      found.push({ id: one.id, itemId: item?.missionId ?? one.id, text: `${one.key}: ${faultText(one)}` });
      if (item !== null) deps.itemChanged(item);
    }
    await reportDamage({ db: deps.db, audit: deps.audit, log }, found);
    if (damaged.length > 0) deps.failed(name, `Backup ${name} is incomplete: ${damagedText(damaged.length)}`);
    return damaged.length;
  }

  /** Describes the backup that was made, and how many unchanged files were read anyway. */
  async function madeText(name: string): Promise<string> {
    const unchanged = (await readHeader(target, name))?.unchanged;
    return unchanged?.files ? `${name}: ${unchanged.read} of ${unchanged.files} unchanged files read again` : name;
  }

  async function make({ name, origin }: Work, progress: (percent: number) => void): Promise<void> {
    const halves = await removeHalves(target);
    await makeBackup({ ...deps, key: await deps.key(), name, origin, progress, signal: stopping.signal });
    // Objects are swept only now, since this backup may use the objects of a run that was killed.
    if (halves > 0) await sweepObjects(target);
  }

  async function prove(name: string, progress: (percent: number) => void): Promise<void> {
    if ((await readHeader(target, name)) === null) throw new BackupDamaged(`There is no backup ${name}.`);
    const auditKeys = await deps.auditKeys();
    await proveBackup({ ...deps, key: await deps.key(), name, auditKeys, progress, signal: stopping.signal });
  }

  /** Removes scheduled backups that are older than the `keep` newest verified ones. */
  async function removeOld(): Promise<void> {
    const proved: string[] = [];
    const open = new Set((await deps.stored.open()).map(({ id }) => id));
    for (const header of await headers(target)) {
      const { name, origin } = header;
      if (origin !== 'schedule' || (await readProof(target, name))?.error !== null) continue;
      // An incomplete backup must not replace a complete one.
      if ((await openDamage(target, header, open)) === 0) proved.push(name);
    }
    const old = proved.slice(deps.keep);
    if (old.length > 0) await removeBackups(target, old);
    await runs.forget(old);
  }

  function reporter({ id }: Work): (percent: number) => void {
    if (id === '') return () => undefined;
    let reportedMs = Number.NEGATIVE_INFINITY;
    return (percent) => {
      if (performance.now() - reportedMs < PROGRESS_MS) return;
      reportedMs = performance.now();
      runs.progress(id, percent).then(deps.changed, (error) => log.error({ error }, 'backup progress not written'));
    };
  }

  return {
    work,
    start() {
      loop = go();
    },
    async stop() {
      stopping.abort(new Error('The server stops'));
      await loop;
    },
  };
}

/**
 * Removes backups, then the objects that only they needed. Their headers are removed first, so that a partly removed
 * backup does not count as one.
 */
export async function removeBackups(target: Storage, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await target.remove(setKey(name, 'backup.json'));
    await target.removeAll(`sets/${name}`);
  }
  await sweepObjects(target);
}

/** Removes what killed runs left: sets without a header, half-written files. Returns how many sets. */
async function removeHalves(target: Storage): Promise<number> {
  let found = 0;
  for (const name of await setNames(target)) {
    if (await isFinished(target, name)) continue;
    await target.removeAll(`sets/${name}`);
    found += 1;
  }
  await target.sweep(-1);
  return found;
}

/**
 * Runs the work with a lock of the database, so that one process at a time, worker or operator's command, writes to the
 * backup folder.
 */
export async function withLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtextextended('backups', 0))`);
    return await work();
  } finally {
    await client.end();
  }
}

/** Sentence for people; our own faults are reported without details, which are in the log. */
function sentenceOf(error: unknown): string {
  if (isForPeople(error)) return error.message;
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 'The disk of the backups is full.';
  return folderTrouble(error) ?? 'The server failed at this step; its log says more.';
}

const isForPeople = (error: unknown): error is Error =>
  [BackupDamaged, AppError, BackupFolderAway, ConfigError, SourceAway, SourceUnreadable].some(
    (kind) => error instanceof kind,
  );
