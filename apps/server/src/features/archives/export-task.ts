import { addAbortListener } from 'node:events';
import { type Actor, AppError, type Classification } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { actorUnder } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Contents } from '../../base/items/content.ts';
import {
  CLIP_CUTTING,
  type ClipOrder,
  exportAction,
  exportInput,
  exportKey,
  removeExportFiles,
} from '../../base/jobs/export-tasks.ts';
import type { TaskContext, TaskDefinition, TaskOutcome, TaskRow } from '../../base/jobs/tasks.ts';
import { checkExportRoom } from '../../base/storage/export-room.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { writeZip } from '../../base/storage/zip-writer.ts';
import { authorizeExport, contentsOf, entriesOf } from './contents.ts';
import { archiveFileName } from './file-name.ts';
import type { ArchivedMissions } from './missions.ts';

/**
 * Interval between checks of the caller's rights and of the free disk space while the archive is made, in milliseconds.
 */
const CHECK_MS = 400;

type Making = { signal: AbortSignal; wrote: (bytes: number) => void };

/** A zip to be made, with its approximate size and its file name. */
type Made = {
  sizeBytes: number;
  fileName: string;
  label: Classification;
  /** Number of bytes kept from an earlier attempt; they immediately count as written. */
  keptBytes?: number;
  store: (making: Making) => Promise<{ sizeBytes: number }>;
};
type Requested = { taskId: string; order: ClipOrder };

export type ExportTaskDeps = {
  db: Kysely<Database>;
  storage: Storage;
  contents: Contents;
  missions: ArchivedMissions;
  nowUs: () => number;
  serverName: string;
  /** Plans clips of missions that the actor may export. @throws AppError if nothing of them can be cut */
  clipsOf: (actor: Actor, missions: readonly string[], requested: Requested) => Promise<Made>;
};

/**
 * Defines the task that writes the archive of an export to the storage. The file gets its final name only when it is
 * complete.
 */
export function exportTaskDefinition(deps: ExportTaskDeps): TaskDefinition {
  return {
    kind: 'export',
    run: (context) => run(deps, context),
    ended: (task) => ended(deps, task),
  };
}

async function run(deps: ExportTaskDeps, { task, signal, progress }: TaskContext): Promise<TaskOutcome> {
  const { db, storage, nowUs, serverName } = deps;
  const input = exportInput.parse(task.input);
  const { missions, clips } = input;

  async function refuseUnlessAllowed() {
    const actor = await actorUnder(db, task.user_id, task.ceiling);
    if (actor === undefined) throw new AppError('forbidden');
    return { actor, facts: await authorizeExport(db, actor, missions, exportAction(input)) };
  }

  const { actor, facts } = await refuseUnlessAllowed();
  const made = clips ? await deps.clipsOf(actor, missions, { taskId: task.id, order: clips }) : await archiveOf();
  await checkExportRoom(storage, made.sizeBytes);
  let written = 0;
  const completeBytes = Math.max(1, made.sizeBytes + (made.keptBytes ?? 0));
  const wrote = (bytes: number) => {
    written += bytes;
    progress((100 * written) / completeBytes);
  };
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const watch = setInterval(() => {
    refuseUnlessAllowed().catch((error) =>
      stop.abort(error instanceof AppError ? new AppError('exportRevoked') : error),
    );
    checkExportRoom(storage).catch((error) => stop.abort(error));
  }, CHECK_MS);
  try {
    const { sizeBytes } = await made.store({ signal: ended, wrote });
    await refuseUnlessAllowed();
    const { fileName, label } = made;
    const result = { fileName, label, ...(clips && { cutting: CLIP_CUTTING }) };
    return { result, storageKey: exportKey(task.id), sizeBytes };
  } finally {
    clearInterval(watch);
  }

  async function archiveOf(): Promise<Made> {
    const planned = await contentsOf(deps, actor, missions);
    const names = facts.map(({ name }) => name);
    const fileName = archiveFileName({ label: planned.label, names, nowUs: nowUs() });
    const store = async ({ signal: over, wrote }: Making) => {
      const zip = writeZip(entriesOf(deps, planned, { server: serverName, nowUs: nowUs(), wrote }));
      const listening = addAbortListener(over, () => zip.destroy(over.reason));
      try {
        return await storage.put(exportKey(task.id), zip);
      } finally {
        listening[Symbol.dispose]();
      }
    };
    return { sizeBytes: planned.sizeBytes, fileName, label: planned.label, store };
  }
}

/**
 * Removes the files of an export that did not succeed. Finished parts of clips are kept, so that the export can be
 * resumed.
 */
async function ended({ db, storage }: ExportTaskDeps, { id, input }: TaskRow): Promise<void> {
  const existing = await db.selectFrom('tasks').select('id').where('id', '=', id).executeTakeFirst();
  if (existing !== undefined && exportInput.parse(input).clips) await storage.remove(exportKey(id));
  else await removeExportFiles(storage, id);
}
