import { AppError } from '@osprey/contract';
import { asSystem } from '../../base/access/as-system.ts';
import { lockMissionIsOnHold } from '../../base/items/mission-hold.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { fileIndexKey } from '../index/file-index.ts';
import { notifyUploader } from './failed-file.ts';
import { type JobSubject, updateOf } from './flow.ts';
import type { FileRow, IngestDeps } from './ingest-deps.ts';
import { wasReadAgain } from './read-again.ts';
import { removeMade } from './removed-file.ts';
import { setFileState } from './sensor-rows.ts';

type Reading<Index> = {
  subject: JobSubject;
  row: FileRow;
  refusals: string[];
  read: () => Promise<Index>;
  /** Returns the earlier index of the file; null if the file was never indexed. */
  before: () => Promise<Index | null>;
};

/** Refuses a file that cannot be read. If it could be read before, its earlier index is kept. */
export async function nullIfRefused<Index>(
  deps: IngestDeps,
  { subject, row, refusals, read, before }: Reading<Index>,
): Promise<Index | null> {
  try {
    return await read();
  } catch (error) {
    if (!isInputFault(error)) throw error;
    const existing = await before();
    // A file that has an index could be read once, so its bytes are kept even if that index is damaged.
    if (existing === null && (await wasIndexed(deps.storage, row))) {
      await setFileState(deps.db, row.id, 'failed');
      refusals.push(`${row.name}: its index is damaged, and it could not be read again: ${reasonOf(error)}`);
      return null;
    }
    if (existing === null) {
      refusals.push(await refuse(deps, { row, subject, error }));
      return null;
    }
    await wasReadAgain(deps.storage, row.sensor_id, row.id);
    refusals.push(`${row.name} could not be read again, and stays as it was read before: ${reasonOf(error)}`);
    return existing;
  }
}

/** Returns whether a file has an index, even one that can no longer be read. */
const wasIndexed = async (storage: Storage, { sensor_id, id }: FileRow): Promise<boolean> =>
  (await storage.stat(fileIndexKey(sensor_id, id))) !== null;

/** Returns the reason as a full sentence, without the words that begin every refusal. */
const reasonOf = (error: Error): string =>
  error instanceof AppError && error.values.reason ? `${error.values.reason}.` : error.message;

const isInputFault = (error: unknown): error is Error =>
  (error instanceof AppError && error.status < 500) || (error instanceof Error && error.name === 'FormatError');

type Refused = { row: FileRow; subject: JobSubject; error: Error };

/**
 * Refuses a file that Osprey cannot use: deletes the row first, then the bytes. If the mission is on hold, the file is
 * kept as failed, since an earlier version may have been able to read it. Returns the reason, in a sentence with the
 * file's name.
 */
async function refuse(deps: IngestDeps, { row, subject, error }: Refused): Promise<string> {
  const reason = reasonOf(error);
  const text = `${row.name}: ${reason}`;
  const isHeld = await deps.db.transaction().execute(async (tx) => {
    const refused = { state: 'failed', message: text };
    await asSystem(tx, 'ingest').updateTable('files').set(refused).where('id', '=', row.id).execute();
    const onHold = await lockMissionIsOnHold(tx, 'ingest', subject.missionId);
    if (!onHold) await asSystem(tx, 'ingest').deleteFrom('files').where('id', '=', row.id).execute();
    return onHold;
  });
  if (!isHeld) {
    await deps.storage.remove(row.storage_key);
    await removeMade(deps.storage, row.sensor_id, row.id);
  }
  deps.flow(updateOf(subject, { type: 'error', text }));
  const sentence = `The file was refused: ${reason.replace(/\.?$/, '.')}`;
  notifyUploader(deps.fileFailed, { file: row, mission: subject, sentence, left: isHeld ? 'kept' : 'gone' });
  return text;
}
