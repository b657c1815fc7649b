import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { secretFile } from '../src/base/access/secret-file.ts';
import { folderStorage } from '../src/base/storage/folder.ts';
import { storedFiles } from '../src/base/stored/stored-files.ts';
import { contentName, sealedBytes } from '../src/features/backups/seal.ts';
import { objectKey } from '../src/features/backups/target.ts';
import { addFile, addSensor } from './missions.ts';
import type { TestServer } from './server.ts';

const SIZE = 100;

/** A missing file of a mission, with something of the right length among the backups, so that it may be put back. */
export async function addDamagedFile(
  { db, dataDir }: Pick<TestServer, 'db' | 'dataDir'>,
  missionId: string,
): Promise<string> {
  const id = randomUUID();
  const sha256 = id.replaceAll('-', '').repeat(2);
  const sensorId = await addSensor(db, missionId, { name: id });
  await addFile(db, sensorId, { id, storage_key: `originals/${sensorId}/${id}.ts`, size_bytes: SIZE, sha256 });
  const stored = storedFiles({ db, nowUs: () => Date.now() * 1000 });
  await stored.damaged({ noun: 'files', id }, { fault: 'missing', foundBytes: null });
  const key = await secretFile(join(dataDir, 'keys', 'backup.key'));
  const target = folderStorage({ root: join(dataDir, 'backups') });
  await target.put(objectKey(contentName(key, sha256)), [Buffer.alloc(sealedBytes(SIZE))]);
  return id;
}
