import {
  type Actor,
  AppError,
  acceptStoredLoss,
  listDamagedItems,
  restoreStoredItem,
  restoreStoredItems,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { aboutNow } from '../../base/audit/about-now.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { StoredFile, StoredFiles } from '../../base/stored/stored-files.ts';
import type { DamagedList } from './damaged-list.ts';
import type { BackupRuns } from './runs.ts';

export type DamagedRoutesDeps = Http & {
  db: Kysely<Database>;
  list: DamagedList;
  stored: Pick<StoredFiles, 'accept'>;
  runs: Pick<BackupRuns, 'requestRestores'>;
  isHeld: (item: StoredFile) => Promise<boolean>;
  changed: () => void;
  itemChanged: (item: StoredFile) => void;
};

/**
 * Serves the damaged files of the storage: orders the worker to restore them, or records that a user accepts their
 * loss.
 */
export function damagedRoutes(deps: DamagedRoutesDeps): void {
  const { list, stored, runs } = deps;
  /** Returns the columns of an audit row about the item that a file belongs to. */
  const itemNow = ({ id, missionId }: StoredFile) => aboutNow(deps.db, missionId ?? id);

  callRoute(deps, listDamagedItems, ({ actor }) => list.read(actor));

  callRoute(deps, restoreStoredItem, async ({ input: { params }, actor, audit }) => {
    await restore(actor, audit, [params.id]);
    return { message: 'The file is being restored.' };
  });

  callRoute(deps, restoreStoredItems, async ({ input: { body }, actor, audit }) => {
    const count = await restore(actor, audit, [...new Set(body.files)]);
    return { message: count === 1 ? 'The file is being restored.' : `${count} files are being restored.` };
  });

  /** Orders the restoration of all of the files or none. @throws AppError notFound, fileMissing, backupRunning */
  async function restore(actor: Actor, audit: RequestAudit, ids: readonly string[]): Promise<number> {
    const found: StoredFile[] = [];
    for (const id of ids) {
      const one = await list.one(actor, id);
      if (one === null) throw new AppError('notFound');
      if (!(await deps.isHeld(one))) throw new AppError('fileMissing');
      found.push(one);
    }
    const ordered = await runs.requestRestores(found, actor.id);
    if (ordered.length === 0) throw new AppError('backupRunning');
    for (const one of found) {
      await audit.write({ action: 'file.restore', result: 'ordered', ...(await itemNow(one)), reason: one.storageKey });
    }
    deps.changed();
    return found.length;
  }

  callRoute(deps, acceptStoredLoss, async ({ input: { params, body }, actor, audit }) => {
    const found = await list.one(actor, params.id);
    if (found === null || !(await stored.accept(found, { by: actor.id, reason: body.reason }))) {
      throw new AppError('notFound');
    }
    const reason = `${found.storageKey}: ${body.reason}`;
    await audit.write({ action: 'file.lossAccepted', result: 'done', ...(await itemNow(found)), reason });
    deps.changed();
    deps.itemChanged(found);
    return { message: 'The loss is accepted.' };
  });
}
