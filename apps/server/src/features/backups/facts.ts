import { isDeepStrictEqual } from 'node:util';
import type { BackupFacts, BackupState, Backup as LabelledBackup } from '@osprey/contract';
import type { BackupsKnown } from '../../base/db/settings.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type BackupFolder, BackupFolderAway, folderTrouble } from './backup-folder.ts';
import { damagedText, openDamage } from './damaged.ts';
import { nextDue, readBackupName } from './names.ts';
import type { BackupRun, BackupRuns } from './runs.ts';
import { type BackupHeader, type BackupProof, headers, readProof, unreadable } from './target.ts';

const WEEK_US = 7 * 24 * 3600 * 1_000_000;

type Backup = Omit<LabelledBackup, 'securityClassification'>;

export type BackupList = ReturnType<typeof backupList>;

export type BackupListDeps = {
  target: Storage;
  disk: BackupFolder;
  runs: BackupRuns;
  folder: string;
  schedule: string | null;
  keep: number;
  sameDisk: () => Promise<boolean>;
  /** Stored across restarts. */
  known: { read: () => Promise<BackupsKnown | null>; write: (known: BackupsKnown) => Promise<void> };
  keyUnseen: () => Promise<boolean>;
  /** Stored files that are damaged and neither restored nor accepted as lost. */
  damaged: () => Promise<readonly { id: string }[]>;
  /** Time of installation, in UTC microseconds. A missing backup is not reported in the first week. */
  installed: () => Promise<number>;
  nowUs: () => number;
};

/** The backups for people: content of the folder, and running operations. */
export function backupList(deps: BackupListDeps) {
  const { target, disk, runs, nowUs } = deps;

  /**
   * Reads the content of the directory. If it does not respond, this is shown without hiding the remaining information.
   */
  async function inspect(): Promise<{ found: Found[]; damaged: string[]; trouble: string | null }> {
    try {
      if (!(await disk.isThere())) throw new BackupFolderAway(deps.folder);
      const [there, damaged] = await Promise.all([headers(target), deps.damaged()]);
      const open = new Set(damaged.map(({ id }) => id));
      const found = await Promise.all(
        there.map(async (header) => ({
          header,
          proof: await readProof(target, header.name),
          damaged: await openDamage(target, header, open),
        })),
      );
      return { found, damaged: await unreadable(target), trouble: null };
    } catch (error) {
      const trouble = folderTrouble(error);
      if (trouble === null) throw error;
      return { found: [], damaged: [], trouble };
    }
  }

  async function lookAtAll(): Promise<{ backups: Backup[]; trouble: string | null }> {
    const [{ found, damaged, trouble }, all] = await Promise.all([inspect(), runs.all()]);
    // Restoring single files does not concern a backup's state.
    const done = all.filter(({ kind }) => kind !== 'restore');
    const names = new Set([...found.map(({ header }) => header.name), ...damaged]);
    const last = new Map([...done].reverse().map((run) => [run.name, run]));
    const there = found.map((one) => toBackup(one, last.get(one.header.name)));
    // Backups that could not be made remain in the list until a user removes them.
    const absent = [...last.values()].filter(
      ({ name, kind, state }) => !names.has(name) && kind === 'create' && state !== 'done',
    );
    const unread = damaged.map((name) => ofName(name, last.get(name)));
    const backups = [...there, ...unread, ...absent.map(fromRun)].sort((a, b) => b.created - a.created);
    return { backups, trouble };
  }

  async function facts(): Promise<BackupFacts> {
    const { backups, trouble } = await lookAtAll();
    const isOpen = ({ state }: Backup) => ['waiting', 'running', 'verifying', 'deleting'].includes(state);
    const running = backups.find(isOpen);
    const last = backups.find((one) => !isOpen(one)) ?? null;
    // A backup made before a migration contains only database rows, so no recordings can be restored from it.
    const proved = backups.flatMap(({ origin, verified }) => (origin === 'migration' ? [] : (verified ?? [])));
    const { count, lastVerified, awaySince } = await remember(trouble !== null, {
      count: backups.filter(({ sizeBytes }) => sizeBytes !== null).length,
      lastVerified: proved.length === 0 ? null : Math.max(...proved),
    });
    const space = await target.space().catch(() => null);
    return {
      count,
      awaySince,
      running: running ? { name: running.name, state: running.state, progress: running.progress ?? 0 } : null,
      last: last && { name: last.name, state: last.state, created: last.created, error: last.error },
      lastVerified,
      warning: trouble ?? (await warningOf(last, lastVerified)),
      schedule: deps.schedule,
      next: deps.schedule === null ? null : nextDue(deps.schedule, nowUs()),
      keep: deps.keep,
      folder: deps.folder,
      freeBytes: space?.freeBytes ?? null,
      sameDisk: await deps.sameDisk(),
      keyUnseen: await deps.keyUnseen(),
    };
  }

  /** Returns the state of the directory: its current content, or the last known content if it is unavailable. */
  async function remember(away: boolean, found: Pick<BackupsKnown, 'count' | 'lastVerified'>): Promise<BackupsKnown> {
    const { folder } = deps;
    const before = await deps.known.read();
    // A folder that was never read has no known state.
    const last = before?.folder === folder ? before : { folder, count: 0, lastVerified: null, awaySince: null };
    const now = away
      ? { ...last, awaySince: last.awaySince ?? nowUs() }
      : { folder, count: found.count, lastVerified: found.lastVerified, awaySince: null };
    if (before === null || !isDeepStrictEqual(before, now)) await deps.known.write(now);
    return now;
  }

  async function warningOf(last: Backup | null, lastVerified: number | null): Promise<string | null> {
    if (last?.state === 'incomplete') return `The last backup is incomplete: ${damagedText(last.damaged)}`;
    const damaged = (await deps.damaged()).length;
    if (damaged > 0) return damagedText(damaged);
    if (last?.state === 'failed') return `The last backup failed: ${last.error ?? 'it could not be made.'}`;
    const since = lastVerified ?? (await deps.installed());
    if (nowUs() - since < WEEK_US) return null;
    const days = Math.floor((nowUs() - since) / (WEEK_US / 7));
    return lastVerified === null
      ? 'There is no verified backup of this server.'
      : `The last verified backup is ${days} days old.`;
  }

  return { all: async () => (await lookAtAll()).backups, facts };
}

type Found = {
  header: BackupHeader;
  proof: BackupProof | null;
  /** Number of files that it found damaged and that still are. */
  damaged: number;
};

function toBackup({ header, proof, damaged }: Found, run: BackupRun | undefined): Backup {
  const { name, origin, created, sizeBytes, newBytes, rows, files, schemaVersion } = header;
  const isOpen = run !== undefined && (run.state === 'waiting' || run.state === 'running');
  return {
    name,
    origin,
    created,
    sizeBytes,
    newBytes,
    rows,
    files,
    schemaVersion,
    state: isOpen ? doing[run.kind] : stateOf(proof, run, damaged),
    progress: isOpen ? run.progress : null,
    unchanged: header.unchanged ?? null,
    damaged,
    verified: proof?.error === null && damaged === 0 ? proof.time : null,
    error: proof?.error ?? (run?.state === 'failed' ? run.error : null),
  };
}

/** State for each kind of run. If a backup exists and has a run of any kind, it has already been made. */
const doing = { create: 'verifying', verify: 'verifying', restore: 'verifying', delete: 'deleting' } as const;

function stateOf(proof: BackupProof | null, run: BackupRun | undefined, damaged: number): BackupState {
  if (proof !== null && proof.error !== null) return 'failed';
  if (run?.state === 'failed') return 'failed';
  if (damaged > 0) return 'incomplete';
  return proof === null ? 'unverified' : 'verified';
}

/** Entry of a backup whose header cannot be read. All operations on backups apply to it. */
function ofName(name: string, run: BackupRun | undefined): Backup {
  const { created, origin } = readBackupName(name);
  const isDeleted = run?.kind === 'delete' && (run.state === 'waiting' || run.state === 'running');
  return {
    ...{ name, origin, created, state: isDeleted ? 'deleting' : 'failed', progress: isDeleted ? run.progress : null },
    ...{
      sizeBytes: 0,
      newBytes: 0,
      rows: null,
      files: null,
      unchanged: null,
      damaged: 0,
      schemaVersion: null,
      verified: null,
    },
    error: 'Its backup.json cannot be read: it is damaged, or of a later version of Osprey.',
  };
}

const fromRun = (run: BackupRun): Backup => ({
  name: run.name,
  origin: run.origin,
  created: run.created,
  state: run.state === 'done' ? 'failed' : run.state,
  progress: run.state === 'running' ? run.progress : null,
  sizeBytes: null,
  newBytes: null,
  rows: null,
  files: null,
  unchanged: null,
  damaged: 0,
  schemaVersion: null,
  verified: null,
  error: run.error,
});
