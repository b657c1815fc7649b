import { getHealth } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { texts } from './texts.ts';

const REFRESH_MS = 10_000;

/** A check of the server that is not passed; `name` is the one on the health page. */
export type Problem = { name: string; text: string; state: 'warning' | 'failed' };

/** Returns the checks of the server that are not passed, failed ones first; null until they are read. */
export function useProblems(enabled: boolean): readonly Problem[] | null {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['system', 'problems'],
    queryFn: async ({ signal }) => {
      const { checks = [] } = await api.call(getHealth, {}, { signal });
      const problems = checks.flatMap(({ name, state, text }) =>
        state === 'ok' ? [] : [{ name: texts.health.names[name] ?? name, state, text }],
      );
      return problems.sort((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'));
    },
    enabled,
    refetchInterval: REFRESH_MS,
  });
  return data ?? null;
}
