import { AppError } from '@osprey/contract';
import { exportReserve } from './space-rule.ts';
import type { Storage } from './storage.ts';

/** Whether so many bytes more leave the reserve of exports alone. @throws AppError diskFull */
export async function checkExportRoom(storage: Pick<Storage, 'space'>, sizeBytes = 0): Promise<void> {
  const { freeBytes, totalBytes } = await storage.space();
  if (freeBytes - sizeBytes < exportReserve(totalBytes)) throw new AppError('diskFull');
}
