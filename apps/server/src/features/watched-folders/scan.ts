import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, WATCHED_QUIET_MS } from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import { companions } from './companions.ts';
import type { FolderRow } from './folders.ts';
import { isInside } from './folders.ts';
import {
  actorOf,
  missionNameFor,
  type Outcome,
  putAside,
  type ScannedFile,
  takeMission,
  type WatchedFolderDeps,
} from './take.ts';

export type ScannerDeps = WatchedFolderDeps & {
  /** Monotonic clock. */
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** Maximum depth of nested folders that are scanned. */
const DEPTH_MAX = 8;
/** Names of the subfolders into which processed files are moved. */
const ASIDE: readonly string[] = ['taken', 'refused'];

/**
 * Time after which an unreadable file is tried again, in milliseconds, since an operator may fix its permissions or its
 * disk without changing the file.
 */
const UNREADABLE_RETRY_MS = 600_000;

/** Paths of all watched folders. A watched folder inside another one has its own label and is scanned separately. */
type Others = ReadonlySet<string>;

type Watched = { sizeBytes: number; modifiedMs: number; sinceMs: number };

/** Creates the function that scans the watched folders once. */
export function folderScanner(deps: ScannerDeps) {
  const { db, nowMs, nowUs, log } = deps;
  /** Size and time of each file, and since when they have not changed. */
  const watched = new Map<string, Watched>();
  /** When each unreadable file was last tried. */
  const tried = new Map<string, number>();
  const stop = new AbortController();

  async function scanFolders(): Promise<void> {
    const folders = await db.selectFrom('watch_folders').selectAll().execute();
    const others: Others = new Set(folders.map(({ path }) => path));
    const seen = new Set<string>();
    for (const folder of folders.filter(({ enabled }) => enabled)) {
      const problem = await lookInto(folder, seen, others).catch((error) => problemOf(error));
      if (problem !== folder.problem) {
        await db.updateTable('watch_folders').set({ problem }).where('id', '=', folder.id).execute();
      }
    }
    for (const path of watched.keys()) if (!seen.has(path)) watched.delete(path);
    for (const path of tried.keys()) if (!seen.has(path)) tried.delete(path);
  }

  /** Scans a folder and processes its files. Returns the problem of the folder; null if there is none. */
  async function lookInto(folder: FolderRow, seen: Set<string>, others: Others): Promise<string | null> {
    const real = await realpath(folder.path);
    if (real !== folder.path) return 'It leads to another place than when it was set up.';
    const actor = await actorOf(deps, folder);
    if (actor === null) return 'The account in whose name it makes missions cannot sign in any more.';
    const unread: string[] = [];
    const names: string[] = [];
    for await (const name of namesIn({ root: folder.path, others, unread }, '')) names.push(name);
    const { recordingOf, telemetryOf } = companions(names);
    /** State of each file; files that are still changing have no entry. */
    const states = new Map<string, ScannedFile | 'dealtWith'>();
    for (const name of names) {
      const path = join(folder.path, name);
      seen.add(path);
      const file = await statSettled(path, name);
      if (file !== null) states.set(name, (await isDealtWith(folder, file)) ? 'dealtWith' : file);
    }
    for (const [name, file] of states) {
      stop.signal.throwIfAborted();
      const recording = recordingOf(name);
      const comesAlone = recording === null || states.get(recording) === 'dealtWith';
      // Telemetry is processed together with its recording, and a recording waits while its telemetry is still being
      // written.
      if (file === 'dealtWith' || !comesAlone || !telemetryOf(name).every((other) => states.has(other))) continue;
      const companionFiles = telemetryOf(name).flatMap((other) => {
        const one = states.get(other);
        return one === undefined || one === 'dealtWith' ? [] : one;
      });
      for (const [one, outcome] of await outcomesOf(folder, actor, { file, companionFiles }))
        await settle(folder, one, outcome);
    }
    return unread.length === 0 ? null : `The server cannot read ${unread.join(', ')} in it.`;
  }

  /** Records the outcome of a file in the report, and moves the file aside. */
  async function settle(folder: FolderRow, file: ScannedFile, outcome: Outcome): Promise<void> {
    await note(folder, file, outcome);
    const path = join(folder.path, file.name);
    if (isUnreadable(outcome)) {
      tried.set(path, nowMs());
      return;
    }
    await putAside(folder, { ...file, path }, outcome.outcome).catch((error) =>
      log.warn({ folderId: folder.id, error }, 'a file could not be put aside'),
    );
  }

  /** Returns a file whose size and time have not changed for long enough; null before that. */
  async function statSettled(path: string, name: string): Promise<ScannedFile | null> {
    // `stat` follows links, since it is the target that may still grow.
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    const now = { sizeBytes: found.size, modifiedMs: found.mtimeMs };
    const before = watched.get(path);
    if (before?.sizeBytes !== now.sizeBytes || before.modifiedMs !== now.modifiedMs) {
      watched.set(path, { ...now, sinceMs: nowMs() });
      return null;
    }
    return nowMs() - before.sinceMs >= WATCHED_QUIET_MS ? { name, path, ...now } : null;
  }

  async function isDealtWith(folder: FolderRow, file: ScannedFile): Promise<boolean> {
    const row = await db
      .selectFrom('intake_files')
      .select(['outcome', 'reason'])
      .where('folder_id', '=', folder.id)
      .where('name', '=', file.name)
      .where('size_bytes', '=', file.sizeBytes)
      .where('modified_ms', '=', file.modifiedMs)
      .executeTakeFirst();
    if (row === undefined) return false;
    const triedMs = tried.get(file.path) ?? Number.NEGATIVE_INFINITY;
    return !isUnreadable(row) || nowMs() - triedMs < UNREADABLE_RETRY_MS;
  }

  /** Returns the outcome of a recording and of each of its telemetry files. */
  async function outcomesOf(
    folder: FolderRow,
    actor: NonNullable<Awaited<ReturnType<typeof actorOf>>>,
    { file, companionFiles }: { file: ScannedFile; companionFiles: readonly ScannedFile[] },
  ): Promise<(readonly [ScannedFile, Outcome])[]> {
    const real = await realPathOf(folder, file);
    if (typeof real !== 'string') return [[file, real]];
    const described = { name: missionNameFor(file.name.replaceAll('/', ' ')) };
    const others: ScannedFile[] = [];
    const outcomes: (readonly [ScannedFile, Outcome])[] = [];
    for (const other of companionFiles) {
      const path = await realPathOf(folder, other);
      if (typeof path === 'string') others.push({ ...other, path });
      else outcomes.push([other, path]);
    }
    const files = [{ ...file, path: real }];
    const companionOutcomes = new Map<string, Outcome>();
    const outcome = await takeMission(deps, {
      ...{ folder, actor, files, described, signal: stop.signal },
      companionFiles: { files: others, settled: ({ name }, one) => companionOutcomes.set(name, one) },
    });
    // If the recording was taken but a telemetry file has no outcome, the telemetry file waits for another recording of
    // its name. If the recording was not taken, its outcome applies to its telemetry too.
    for (const other of others) {
      const one = companionOutcomes.get(other.name) ?? (outcome.outcome === 'taken' ? null : outcome);
      if (one) outcomes.push([other, one]);
    }
    return [[file, outcome], ...outcomes];
  }

  /** Returns the real path of a file inside the folder, or the reason why the file is refused. */
  async function realPathOf(folder: FolderRow, { path }: ScannedFile): Promise<string | Outcome> {
    const refused = (reason: string): Outcome => ({ outcome: 'refused', reason, missionId: null, sha256: null });
    const real = await realpath(path).catch(() => null);
    if (real === null || !isInside(real, folder.path)) return refused('It is a link that leads out of the folder.');
    return (await stat(real).catch(() => null))?.isFile() ? real : refused('It is not a file.');
  }

  /**
   * Writes the outcome of a file into the report, and returns whether it was written: a file already in a mission keeps
   * its outcome "taken".
   */
  async function note(
    folder: FolderRow,
    file: ScannedFile,
    { outcome, reason, missionId, sha256 }: Outcome,
    within: Db = db,
  ): Promise<boolean> {
    const { name, sizeBytes: size_bytes, modifiedMs: modified_ms } = file;
    const row = { folder_id: folder.id, name, size_bytes, modified_ms, outcome, reason, mission_id: missionId, sha256 };
    const noted = await within
      .insertInto('intake_files')
      .values({ ...row, time: nowUs() })
      .onConflict((conflict) => {
        const update = conflict
          .constraint('intake_files_once')
          .doUpdateSet({ outcome, reason, mission_id: missionId, sha256, time: nowUs() });
        // "Taken" replaces any earlier outcome, for example if the file could not be read at first or was a duplicate.
        return outcome === 'taken' ? update : update.where('intake_files.mission_id', 'is', null);
      })
      .returning('id')
      .executeTakeFirst();
    return noted !== undefined;
  }

  function problemOf(error: unknown): string {
    if (error instanceof AppError) return error.message;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'The folder is not there.';
    if (code === 'EACCES' || code === 'EPERM') return 'The server may not read it.';
    if (!stop.signal.aborted) log.warn({ error }, 'a watched folder could not be read');
    return 'It could not be read. The server tries again.';
  }

  return { look: scanFolders, note, stop: () => stop.abort(new Error('The server stops')) };
}

/** Decides by the outcome in the report, which is kept across restarts. */
const isUnreadable = ({ outcome, reason }: { outcome: string; reason: string | null }): boolean =>
  outcome === 'refused' && reason !== null && reason.includes('it cannot be read (');

type Walk = {
  root: string;
  others: Others;
  /** Collects nested folders that cannot be read; the other folders are still scanned. */
  unread: string[];
};

/**
 * Yields the files of a folder and its subfolders, by their path relative to the root. Links to folders are not
 * followed.
 */
async function* namesIn(walk: Walk, inside: string): AsyncGenerator<string> {
  const { root, others, unread } = walk;
  const entries = await readdir(join(root, inside), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // The folder was removed after it had been listed.
    if (inside !== '' && error.code === 'ENOENT') return [];
    if (inside === '') throw error;
    unread.push(inside);
    return [];
  });
  for (const entry of entries) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (!entry.isDirectory()) yield name;
    else if (!ASIDE.includes(entry.name) && !others.has(join(root, name)) && name.split('/').length < DEPTH_MAX) {
      yield* namesIn(walk, name);
    }
  }
}
