import { AppError } from '@osprey/contract';

/** Refusal by a rule; `reason` is a full sentence. */
export const refusal = (reason: string): AppError => new AppError('ruleRefused', { reason });
