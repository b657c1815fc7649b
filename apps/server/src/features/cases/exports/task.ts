import { addAbortListener } from 'node:events';
import { type Actor, AppError, classificationOf } from '@osprey/contract';
import { z } from 'zod';
import { actorUnder } from '../../../base/access/actors.ts';
import { asSystem } from '../../../base/access/as-system.ts';
import { authorize } from '../../../base/access/authorize.ts';
import type { RequestAudit } from '../../../base/audit/request-audit.ts';
import type { TaskContext, TaskDefinition, TaskOutcome } from '../../../base/jobs/tasks.ts';
import { checkExportRoom } from '../../../base/storage/export-room.ts';
import type { Storage } from '../../../base/storage/storage.ts';
import { writeZip } from '../../../base/storage/zip-writer.ts';
import { readCase } from '../repository.ts';
import { factsOfCase, type StoredCase } from '../rows.ts';
import { frozenCase } from './frozen.ts';
import { hiddenParts } from './frozen-rights.ts';
import { type PackDeps, packageEntries, sizeOfParts } from './pack.ts';
import { type ExportRow, packageKey } from './repository.ts';

/**
 * Interval between checks of the caller's rights and of the free disk space while the package is made, in milliseconds.
 */
const CHECK_MS = 400;

export const caseExportInput = z.object({ exportId: z.uuid() });

export type CaseExportTaskDeps = PackDeps & {
  storage: Storage;
  /** @throws AppError quotaReached */
  checkQuota: (asked: { userId: string; bytes: number }) => Promise<void>;
  /** Audit of the process itself. */
  audit: Pick<RequestAudit, 'write'>;
  changed: (noun: 'cases', ids: string[]) => void;
};

/**
 * Defines the task that packs a version of a case into the storage. The file gets its final name only when it is
 * complete.
 */
export function caseExportTask(deps: CaseExportTaskDeps): TaskDefinition {
  const { db, storage, changed } = deps;
  return {
    kind: 'caseExport',
    run: (context) => run(deps, context),
    async ended({ input }, sentence) {
      const { exportId } = caseExportInput.parse(input);
      await storage.remove(packageKey(exportId));
      const row = await asSystem(db, 'case')
        .updateTable('case_exports')
        .set({ state: 'Failed', message: sentence, storage_key: null, size_bytes: null, sha256: null })
        .where('id', '=', exportId)
        .where('state', '<>', 'Removed')
        .returning(['case_id', 'classification', 'version'])
        .executeTakeFirst();
      if (row === undefined) return;
      // The audit may already hold a row for this export, written before its package failed: this row adds the outcome.
      await deps.audit.write({
        ...{ action: 'case.export', itemId: row.case_id, itemLabel: classificationOf(row.classification) },
        ...{ result: `version ${row.version} failed`, reason: sentence },
      });
      changed('cases', [row.case_id]);
    },
  };
}

async function run(deps: CaseExportTaskDeps, { task, signal, progress }: TaskContext): Promise<TaskOutcome> {
  const { db, storage, changed } = deps;
  const { exportId } = caseExportInput.parse(task.input);
  const row = await rowOf(deps, exportId);
  // An earlier try was killed before its task was noted as done.
  if (row.state === 'Ready') return { result: { exportId }, sizeBytes: row.size_bytes ?? 0 };
  const frozen = frozenCase.parse(row.frozen);
  const { actor, own } = await refuseUnlessAllowed(deps, row, task.user_id);
  changed('cases', [row.case_id]);
  const sizeBytes = await sizeOfParts(deps, actor, frozen);
  await checkExportRoom(storage, sizeBytes);
  let written = 0;
  const wrote = (bytes: number) => {
    written += bytes;
    progress((99 * written) / Math.max(written, sizeBytes, 1));
  };
  const { usergroups } = factsOfCase(own);
  const zip = writeZip(packageEntries(deps, { actor, row, usergroups, frozen, wrote }));
  const listening = addAbortListener(signal, () => zip.destroy(signal.reason));
  const watch = setInterval(() => {
    const stop = (error: Error) => zip.destroy(error);
    refuseUnlessAllowed(deps, row, task.user_id).catch(stop);
    checkExportRoom(storage).catch(stop);
    deps.checkQuota({ userId: task.user_id, bytes: written }).catch(stop);
  }, CHECK_MS);
  const key = packageKey(exportId);
  try {
    const stored = await storage.put(key, zip);
    await refuseUnlessAllowed(deps, row, task.user_id);
    await deps.checkQuota({ userId: task.user_id, bytes: stored.sizeBytes });
    const made = await asSystem(db, 'case')
      .updateTable('case_exports')
      .set({ state: 'Ready', message: null, size_bytes: stored.sizeBytes, sha256: stored.sha256, storage_key: key })
      .set({ frozen: JSON.stringify(frozen) })
      .where('id', '=', exportId)
      .where('state', '=', 'Making')
      .executeTakeFirst();
    // The version was removed while its package was being finished.
    if (made.numUpdatedRows === 0n) throw new AppError('notFound');
    changed('cases', [row.case_id]);
    return { result: { exportId }, sizeBytes: stored.sizeBytes };
  } finally {
    clearInterval(watch);
    listening[Symbol.dispose]();
  }
}

async function rowOf({ db }: CaseExportTaskDeps, exportId: string): Promise<ExportRow> {
  const row = await asSystem(db, 'case')
    .selectFrom('case_exports')
    .selectAll()
    .where('id', '=', exportId)
    .where('state', 'in', ['Making', 'Ready'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  return row;
}

/** @throws AppError caseExportRevoked if the creator may no longer export the case or read one of its parts */
async function refuseUnlessAllowed(
  { db, contents }: CaseExportTaskDeps,
  row: ExportRow,
  userId: string,
): Promise<{ actor: Actor; own: StoredCase }> {
  try {
    const actor = await actorUnder(db, userId, row.ceiling);
    if (actor === undefined) throw new AppError('forbidden');
    const own = await readCase({ db, contents }, actor, row.case_id);
    authorize(actor, 'case.export', factsOfCase(own));
    const hidden = await hiddenParts({ db, contents }, actor, frozenCase.parse(row.frozen).parts, true);
    if (hidden.size > 0) throw new AppError('notFound');
    return { actor, own };
  } catch (error) {
    throw error instanceof AppError && error.status < 500 ? new AppError('caseExportRevoked') : error;
  }
}
