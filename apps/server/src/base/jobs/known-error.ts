import { AppError } from '@osprey/contract';
import { isOutOfRoom } from '../storage/space-rule.ts';

/** The error shown for a failed job; null if it is a fault of ours. */
export function knownError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  return isOutOfRoom(error) ? new AppError('diskFull') : null;
}
