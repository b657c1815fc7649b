import type { HealthCheck } from '@osprey/contract';
import { texts } from './texts.ts';
import { useChecks } from './useChecks.ts';

const REFRESH_MS = 10_000;

/** A check of the server that is not passed; `name` is the one on the health page. */
export type Problem = { name: string; text: string; state: 'warning' | 'failed' };

/** Returns the checks of the server that are not passed, failed ones first; null until they are read. */
export const useProblems = (enabled: boolean): readonly Problem[] | null =>
  useChecks({ enabled, everyMs: REFRESH_MS, select: problemsOf });

const problemsOf = (checks: readonly HealthCheck[]): readonly Problem[] =>
  checks
    .flatMap(({ name, state, text }) =>
      state === 'ok' ? [] : [{ name: texts.health.names[name] ?? name, state, text }],
    )
    .sort((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'));
