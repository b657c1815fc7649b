import { addAbortListener } from 'node:events';
import { AppError, classifications } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { actorsById } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import type { TaskContext, TaskDefinition, TaskOutcome } from '../../base/jobs/tasks.ts';
import { checkExportRoom } from '../../base/storage/export-room.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { writeZip } from '../../base/storage/zip-writer.ts';
import { authorizeExport, contentsOf, entriesOf } from './contents.ts';
import { archiveFileName } from './file-name.ts';

/** The rights of whoever asked, and the room on the disk, are looked at again so often while the archive is made. */
const LOOK_MS = 400;

export const exportInput = z.object({ missions: z.array(z.uuid()) });
export const exportResult = z.object({
  fileName: z.string(),
  /** Of all that the archive holds; annotations may be above their missions. */
  label: z.enum(classifications).optional(),
});
export const exportKey = (id: string): string => `exports/${id}.zip`;

export type ExportTaskDeps = { db: Kysely<Database>; storage: Storage; nowUs: () => number; serverName: string };

/** Writes the archive of an export to the storage, under its final name only when it is whole. */
export function exportTaskDefinition(deps: ExportTaskDeps): TaskDefinition {
  return {
    kind: 'export',
    run: (context) => run(deps, context),
    ended: (task) => deps.storage.remove(exportKey(task.id)),
  };
}

async function run(deps: ExportTaskDeps, { task, signal, progress }: TaskContext): Promise<TaskOutcome> {
  const { db, storage, nowUs, serverName } = deps;
  const { missions } = exportInput.parse(task.input);

  async function allowed() {
    const actor = (await actorsById(db, [task.user_id])).get(task.user_id)?.actor;
    if (actor === undefined) throw new AppError('forbidden');
    return { actor, facts: await authorizeExport(db, actor, missions) };
  }

  const { actor, facts } = await allowed();
  const contents = await contentsOf({ db, storage }, actor, missions);
  await checkExportRoom(storage, contents.sizeBytes);
  let written = 0;
  const wrote = (bytes: number) => {
    written += bytes;
    progress((100 * written) / Math.max(1, contents.sizeBytes));
  };
  const zip = writeZip(entriesOf({ db, storage }, contents, { server: serverName, nowUs: nowUs(), wrote }));
  const stop = () => zip.destroy(signal.reason);
  const listening = addAbortListener(signal, stop);
  const watch = setInterval(() => {
    allowed().catch((error) => zip.destroy(error instanceof AppError ? new AppError('exportRevoked') : error));
    checkExportRoom(storage).catch((error) => zip.destroy(error));
  }, LOOK_MS);
  try {
    const { sizeBytes } = await storage.put(exportKey(task.id), zip);
    await allowed();
    const fileName = archiveFileName({ label: contents.label, names: facts.map(({ name }) => name), nowUs: nowUs() });
    return { result: { fileName, label: contents.label }, storageKey: exportKey(task.id), sizeBytes };
  } finally {
    clearInterval(watch);
    listening[Symbol.dispose]();
  }
}
