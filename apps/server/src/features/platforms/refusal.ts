import { AppError } from '@osprey/contract';

/** A refusal by a rule, with its whole sentence. */
export const refusal = (reason: string): AppError => new AppError('ruleRefused', { reason });
