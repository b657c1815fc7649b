import { AppError } from '@osprey/contract';

/** Refusal by a rule, with a full sentence. */
export const refusal = (reason: string): AppError => new AppError('ruleRefused', { reason });
