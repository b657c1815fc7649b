import { AppError } from '@osprey/contract';
import { exportReserve } from './space-rule.ts';
import type { Storage } from './storage.ts';

/** Checks that an export of this size leaves the reserve of the disk free. @throws AppError diskFull */
export async function checkExportRoom(storage: Pick<Storage, 'space'>, sizeBytes = 0): Promise<void> {
  const { freeBytes, totalBytes } = await storage.space();
  if (freeBytes - sizeBytes < exportReserve(totalBytes)) throw new AppError('diskFull');
}
