import { asSystem, type Db } from '../../base/access/as-system.ts';
import { madeFoldersOf, renditionKey, streamKey } from '../../base/storage/originals.ts';
import { removeStarting } from '../../base/storage/remove-starting.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { indexFolder } from '../index/file-index.ts';
import { removePictures } from '../index/picture-files.ts';

/** Removes the indexes and renditions made from a file. */
export async function removeMade(storage: Storage, sensorId: string, fileId: string): Promise<void> {
  await storage.remove(renditionKey(sensorId, fileId));
  await storage.remove(streamKey(sensorId, fileId));
  await removeStarting(storage, `${indexFolder(sensorId)}/${fileId}`);
}

type Work = { db: Db; storage: Storage; missionId: string; sensorId: string; fileIds?: readonly string[] };

/**
 * Runs work on a sensor or on files of it. If they are deleted permanently meanwhile, everything that the work wrote
 * after the deletion is removed too.
 */
export async function tidily(subject: Work, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await removeGone(subject);
  }
}

async function removeGone({ db, storage, missionId, sensorId, fileIds = [] }: Work): Promise<void> {
  const rows = await asSystem(db, 'media')
    .selectFrom('sensors')
    .leftJoin('files', 'files.sensor_id', 'sensors.id')
    .select('files.id')
    .where('sensors.id', '=', sensorId)
    .execute();
  if (rows.length === 0) {
    for (const folder of madeFoldersOf(sensorId)) await storage.removeAll(folder);
    await removePictures(storage, { missionId, sensorId });
    return;
  }
  const gone = fileIds.filter((fileId) => !rows.some(({ id }) => id === fileId));
  for (const fileId of gone) await removeMade(storage, sensorId, fileId);
}
