import { AppError, acceptStoredLoss, classificationOf, listDamagedItems, restoreStoredItem } from '@osprey/contract';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { StoredFile, StoredFiles } from '../../base/stored/stored-files.ts';
import type { DamagedList } from './damaged-list.ts';
import type { BackupRuns } from './runs.ts';

export type DamagedRoutesDeps = Http & {
  list: DamagedList;
  stored: Pick<StoredFiles, 'accept'>;
  runs: Pick<BackupRuns, 'request'>;
  isHeld: (item: StoredFile) => Promise<boolean>;
  changed: () => void;
  itemChanged: (item: StoredFile) => void;
};

/** Damaged files of the storage: the worker restores them, or a user accepts their loss. */
export function damagedRoutes(deps: DamagedRoutesDeps): void {
  const { list, stored, runs } = deps;

  callRoute(deps, listDamagedItems, ({ actor }) => list.read(actor));

  callRoute(deps, restoreStoredItem, async ({ input: { params }, actor, audit }) => {
    const found = await list.one(actor, params.id);
    if (found === null) throw new AppError('notFound');
    const { item } = found;
    if (!(await deps.isHeld(item))) throw new AppError('fileMissing');
    const run = await runs.request('restore', item.storageKey, 'manual', actor.id, item.id);
    if (run === null) throw new AppError('backupRunning');
    await audit.write({ action: 'file.restore', result: 'ordered', ...itemOf(found), reason: item.storageKey });
    deps.changed();
    return { message: 'The file is being restored.' };
  });

  callRoute(deps, acceptStoredLoss, async ({ input: { params, body }, actor, audit }) => {
    const found = await list.one(actor, params.id);
    if (found === null || !(await stored.accept(found.item, { by: actor.id, reason: body.reason }))) {
      throw new AppError('notFound');
    }
    const reason = `${found.item.storageKey}: ${body.reason}`;
    await audit.write({ action: 'file.lossAccepted', result: 'done', ...itemOf(found), reason });
    deps.changed();
    deps.itemChanged(found.item);
    return { message: 'The loss is accepted.' };
  });
}

const itemOf = ({ item, classification }: { item: StoredFile; classification: number }) => ({
  itemId: item.missionId ?? item.id,
  itemLabel: classificationOf(classification),
});
