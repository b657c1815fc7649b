import { AppError } from '@osprey/contract';
import { isOutOfRoom } from '../storage/space-rule.ts';

/** What is told of a failure at work; null where it is a fault of ours. */
export function knownError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  return isOutOfRoom(error) ? new AppError('diskFull') : null;
}
