import { type Actor, AppError } from '@osprey/contract';
import { z } from 'zod';
import { actorUnder } from '../../base/access/actors.ts';
import type { Db } from '../../base/access/as-system.ts';
import { visible } from '../../base/items/visibility.ts';
import type { TaskContext, TaskDefinition, TaskOutcome, TaskRow } from '../../base/jobs/tasks.ts';
import type { FolderRow } from './folders.ts';
import { describedBy, filesOf, type ListRow, listRow } from './list.ts';
import { duplicateOf, type Outcome, type ScannedFile, takeMission, type WatchedFolderDeps } from './take.ts';

export const listInput = z.object({ folder: z.uuid(), rows: z.array(listRow) });

/**
 * Number of rows already reported. A retry after a crash continues after them, since it would otherwise report its own
 * missions as duplicates.
 */
const listResult = z.object({ done: z.int() });
const doneOf = (result: unknown): number => (result === null ? 0 : listResult.parse(result).done);
const resultOf = (done: number): z.output<typeof listResult> => ({ done });

export type ListTaskDeps = WatchedFolderDeps & {
  note: (folder: FolderRow, file: ScannedFile, outcome: Outcome, within: Db) => Promise<boolean>;
};

/**
 * Defines the task that creates the missions of a list, one after another, and records the outcome of each in the
 * report of its folder.
 */
export function listTaskDefinition(deps: ListTaskDeps): TaskDefinition {
  return {
    kind: 'list',
    run: (context) => run(deps, context),
    ended: (task, sentence) => reportRest(deps, task, sentence),
  };
}

/** Gives each row of a list a different time, since the report identifies files by name, size and time. */
const ofRow = (file: ScannedFile, task: TaskRow, index: number): ScannedFile => ({
  ...file,
  modifiedMs: task.created / 1000 + index,
});

/** Files as named in a row of a list, for reporting rows whose files do not exist or that were not reached. */
const namedFiles = ({ files }: ListRow): ScannedFile[] =>
  files.map((name) => ({ name, path: '', sizeBytes: 0, modifiedMs: 0 }));

const refused = (reason: string): Outcome => ({ outcome: 'refused', reason, missionId: null, sha256: null });

type RowResult = { files: ScannedFile[]; outcome: Outcome };

async function run(deps: ListTaskDeps, { task, signal, progress }: TaskContext): Promise<TaskOutcome> {
  const { folder: folderId, rows } = listInput.parse(task.input);
  const folder = await deps.db.selectFrom('watch_folders').selectAll().where('id', '=', folderId).executeTakeFirst();
  const actor = await actorUnder(deps.db, task.user_id, task.ceiling);
  if (folder === undefined || actor === undefined) throw new AppError('notFound');
  for (const [index, row] of [...rows.entries()].slice(doneOf(task.result))) {
    signal.throwIfAborted();
    progress((100 * index) / rows.length);
    const finished = await rowOutcome(deps, { folder, actor, row, signal });
    await deps.db.transaction().execute(async (tx) => {
      await report(deps, { tx, folder, task, index }, finished);
      const result = JSON.stringify(resultOf(index + 1));
      await tx.updateTable('tasks').set({ result }).where('id', '=', task.id).execute();
    });
  }
  return { result: resultOf(rows.length) };
}

type Place = { tx: Db; folder: FolderRow; task: TaskRow; index: number };

async function report(
  { note }: ListTaskDeps,
  { tx, folder, task, index }: Place,
  { files, outcome }: RowResult,
): Promise<void> {
  for (const file of files) {
    const isThere = file.path !== '';
    if (isThere && (await note(folder, file, outcome, tx))) continue;
    await note(folder, ofRow(file, task, index), outcome, tx);
  }
}

type Row = { folder: FolderRow; actor: Actor; row: ListRow; signal: AbortSignal };

async function rowOutcome(deps: ListTaskDeps, { folder, actor, row, signal }: Row): Promise<RowResult> {
  try {
    const files = await filesOf(folder, row);
    const described = await describedBy(deps.db, row);
    const known = await takenBefore(deps, { folder, actor, files });
    return { files, outcome: known ?? (await takeMission(deps, { folder, actor, files, described, signal })) };
  } catch (error) {
    return { files: namedFiles(row), outcome: refused(reasonOf(error)) };
  }
}

/**
 * Returns whether one of these files is already in a mission that the actor may see: from an earlier row or list, or
 * from the watched folder.
 */
async function takenBefore(
  { db }: ListTaskDeps,
  { folder, actor, files }: { folder: FolderRow; actor: Actor; files: readonly ScannedFile[] },
): Promise<Outcome | null> {
  for (const { name, sizeBytes, modifiedMs } of files) {
    const row = await visible(db, actor)
      .innerJoin('intake_files', 'intake_files.mission_id', 'missions.id')
      .where('intake_files.folder_id', '=', folder.id)
      .where('intake_files.name', '=', name)
      .where('intake_files.size_bytes', '=', sizeBytes)
      .where('intake_files.modified_ms', '=', modifiedMs)
      .where('intake_files.outcome', '=', 'taken')
      .select(['missions.id', 'missions.name', 'intake_files.sha256'])
      .executeTakeFirst();
    if (row !== undefined) return duplicateOf(row, row.sha256);
  }
  return null;
}

/**
 * Returns the reason why a row is refused; the rows after it are still processed. Other errors are thrown again, so
 * that the task is retried.
 */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'A value of this row is not valid.';
  if (error instanceof AppError && error.status !== 503) return error.message;
  throw error;
}

/** Completes the report of an abandoned list: adds each remaining row with the reason. */
async function reportRest(deps: ListTaskDeps, task: TaskRow, sentence: string): Promise<void> {
  const { folder: folderId, rows } = listInput.parse(task.input);
  const folder = await deps.db.selectFrom('watch_folders').selectAll().where('id', '=', folderId).executeTakeFirst();
  if (folder === undefined) return;
  const now = await deps.db.selectFrom('tasks').select('result').where('id', '=', task.id).executeTakeFirst();
  for (const [index, row] of [...rows.entries()].slice(doneOf(now?.result ?? null))) {
    const finished = { files: namedFiles(row), outcome: refused(sentence) };
    await report(deps, { tx: deps.db, folder, task, index }, finished);
  }
}
