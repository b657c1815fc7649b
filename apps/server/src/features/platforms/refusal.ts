import { AppError } from '@osprey/contract';

/** What a rule forbids, with its whole sentence. */
export const refusal = (reason: string): AppError => new AppError('ruleRefused', { reason });
