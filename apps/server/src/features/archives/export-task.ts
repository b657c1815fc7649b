import { addAbortListener } from 'node:events';
import type { Readable } from 'node:stream';
import { type Actor, AppError, type Classification } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { actorsById } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import { type ClipOrder, exportAction, exportInput, exportKey } from '../../base/jobs/export-tasks.ts';
import type { TaskContext, TaskDefinition, TaskOutcome } from '../../base/jobs/tasks.ts';
import { checkExportRoom } from '../../base/storage/export-room.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { writeZip } from '../../base/storage/zip-writer.ts';
import { authorizeExport, contentsOf, entriesOf } from './contents.ts';
import { archiveFileName } from './file-name.ts';

/** Interval of checks of the caller's rights, and of the room on the disk, while the archive is made. */
const LOOK_MS = 400;

/** A zip that is being made: about how long it gets, and how it is called. */
type Made = { zip: Readable; sizeBytes: number; fileName: string; label: Classification };
type Wrote = (bytes: number) => void;

export type ExportTaskDeps = {
  db: Kysely<Database>;
  storage: Storage;
  nowUs: () => number;
  serverName: string;
  /** Clips of a mission that the actor may export. @throws AppError where nothing of them can be cut */
  clipsOf: (actor: Actor, missionId: string, order: ClipOrder, wrote: Wrote) => Promise<Made>;
};

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
  const input = exportInput.parse(task.input);
  const { missions, clips } = input;

  async function allowed() {
    const actor = (await actorsById(db, [task.user_id])).get(task.user_id)?.actor;
    if (actor === undefined) throw new AppError('forbidden');
    return { actor, facts: await authorizeExport(db, actor, missions, exportAction(input)) };
  }

  const { actor, facts } = await allowed();
  let written = 0;
  let wholeBytes = 1;
  const wrote = (bytes: number) => {
    written += bytes;
    progress((100 * written) / Math.max(1, wholeBytes));
  };
  const { zip, sizeBytes: aboutBytes, fileName, label } = clips ? await clipsOf(clips) : await archiveOf();
  wholeBytes = aboutBytes;
  const stop = () => zip.destroy(signal.reason);
  const listening = addAbortListener(signal, stop);
  const watch = setInterval(() => {
    allowed().catch((error) => zip.destroy(error instanceof AppError ? new AppError('exportRevoked') : error));
    checkExportRoom(storage).catch((error) => zip.destroy(error));
  }, LOOK_MS);
  try {
    const { sizeBytes } = await storage.put(exportKey(task.id), zip);
    await allowed();
    return { result: { fileName, label }, storageKey: exportKey(task.id), sizeBytes };
  } finally {
    clearInterval(watch);
    listening[Symbol.dispose]();
  }

  async function archiveOf(): Promise<Made> {
    const contents = await contentsOf({ db, storage }, actor, missions);
    await checkExportRoom(storage, contents.sizeBytes);
    const zip = writeZip(entriesOf({ db, storage }, contents, { server: serverName, nowUs: nowUs(), wrote }));
    const names = facts.map(({ name }) => name);
    const fileName = archiveFileName({ label: contents.label, names, nowUs: nowUs() });
    return { zip, sizeBytes: contents.sizeBytes, fileName, label: contents.label };
  }

  async function clipsOf(order: ClipOrder): Promise<Made> {
    const made = await deps.clipsOf(actor, missions[0]!, order, wrote);
    await checkExportRoom(storage, made.sizeBytes);
    return made;
  }
}
