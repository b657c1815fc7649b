import { AppError } from '@osprey/contract';
import { isOutOfRoom } from '../storage/space-rule.ts';

/** Converts the error of a failed job to one that can be shown; null for a fault of the server. */
export function knownError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  return isOutOfRoom(error) ? new AppError('diskFull') : null;
}
