import { AppError } from '@osprey/contract';
import { z } from 'zod';
import { actorsById } from '../access/actors.ts';
import type { TaskContext, TaskDefinition, TaskOutcome, TaskRow } from '../jobs/tasks.ts';
import type { FolderRow } from './folders.ts';
import { describedBy, filesOf, type ListRow, listRow } from './list.ts';
import { type IntakeDeps, type Outcome, type SeenFile, takeMission } from './take.ts';

export const listInput = z.object({ folder: z.uuid(), rows: z.array(listRow) });

export type ListTaskDeps = IntakeDeps & {
  note: (folder: FolderRow, file: SeenFile, outcome: Outcome) => Promise<void>;
};

/** Makes the missions of a list, one after the other; what became of each stands in the report of its folder. */
export function listTaskDefinition(deps: ListTaskDeps): TaskDefinition {
  return {
    kind: 'list',
    run: (context) => run(deps, context),
    ended: (task, sentence) => reportRest(deps, task, sentence),
  };
}

/** A row whose files are not there, or that was not come to, is reported under the names it gave. */
const namedFiles = ({ files }: ListRow, task: TaskRow): SeenFile[] =>
  files.map((name) => ({ name, path: '', sizeBytes: 0, modifiedMs: task.created / 1000 }));

const refused = (reason: string): Outcome => ({ outcome: 'refused', reason, missionId: null, sha256: null });

async function run(deps: ListTaskDeps, { task, signal, progress }: TaskContext): Promise<TaskOutcome> {
  const { folder: folderId, rows } = listInput.parse(task.input);
  const folder = await deps.db.selectFrom('watch_folders').selectAll().where('id', '=', folderId).executeTakeFirst();
  const actor = (await actorsById(deps.db, [task.user_id])).get(task.user_id)?.actor;
  if (folder === undefined || actor === undefined) throw new AppError('notFound');
  for (const [index, row] of rows.entries()) {
    signal.throwIfAborted();
    progress((100 * index) / rows.length);
    const { files, outcome } = await rowOutcome(row);
    for (const file of files) await deps.note(folder, file, outcome);
  }
  return { result: { rows: rows.length } };

  async function rowOutcome(row: ListRow): Promise<{ files: SeenFile[]; outcome: Outcome }> {
    if (folder === undefined || actor === undefined) throw new AppError('notFound');
    try {
      const files = await filesOf(folder, row);
      const described = await describedBy(deps.db, row);
      return { files, outcome: await takeMission(deps, { folder, actor, files, described, signal }) };
    } catch (error) {
      return { files: namedFiles(row, task), outcome: refused(reasonOf(error)) };
    }
  }
}

/** What speaks against one row, and lets those behind it be read. Anything else is thrown on, and tried again. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'A value of this row is not valid.';
  if (error instanceof AppError && error.status !== 503) return error.message;
  throw error;
}

/** The list was given up: what it named and nobody came to stands in the report with the reason. */
async function reportRest(deps: ListTaskDeps, task: TaskRow, sentence: string): Promise<void> {
  const { folder: folderId, rows } = listInput.parse(task.input);
  const folder = await deps.db.selectFrom('watch_folders').selectAll().where('id', '=', folderId).executeTakeFirst();
  if (folder === undefined) return;
  const told = await deps.db
    .selectFrom('intake_files')
    .select('name')
    .where('folder_id', '=', folderId)
    .where('time', '>=', task.created)
    .execute();
  const names = new Set(told.map(({ name }) => name));
  for (const file of rows.flatMap((row) => namedFiles(row, task))) {
    if (!names.has(file.name)) await deps.note(folder, file, refused(sentence));
  }
}
