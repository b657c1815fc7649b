import { AppError } from '@osprey/contract';
import { z } from 'zod';
import { actorsById } from '../access/actors.ts';
import type { TaskContext, TaskDefinition, TaskOutcome } from '../jobs/tasks.ts';
import type { FolderRow } from './folders.ts';
import { describedBy, filesOf, type ListRow, listRow } from './list.ts';
import { type IntakeDeps, type Outcome, type SeenFile, takeMission } from './take.ts';

export const listInput = z.object({ folder: z.uuid(), rows: z.array(listRow) });

export type ListTaskDeps = IntakeDeps & {
  note: (folder: FolderRow, file: SeenFile, outcome: Outcome) => Promise<void>;
};

/** Makes the missions of a list, one after the other; what became of each stands in the report of its folder. */
export function listTaskDefinition(deps: ListTaskDeps): TaskDefinition {
  return { kind: 'list', run: (context) => run(deps, context), ended: async () => {} };
}

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
    // A row whose files are not there is reported under the names it gave.
    const absent = row.files.map((name) => ({ name, path: '', sizeBytes: 0, modifiedMs: task.created / 1000 }));
    try {
      const files = await filesOf(folder, row);
      const described = await describedBy(deps.db, row);
      return { files, outcome: await takeMission(deps, { folder, actor, files, described, signal }) };
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) {
        if (!(error instanceof z.ZodError)) throw error;
      }
      const reason = error instanceof AppError ? error.message : 'A value of this row is not valid.';
      return { files: absent, outcome: { outcome: 'refused', reason, missionId: null, sha256: null } };
    }
  }
}
